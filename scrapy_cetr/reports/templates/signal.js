// Repeats the arithmetic of methods/signal.py and methods/cetr.py, so that the sliders can show
// the effect of other values. A test compares the two.

function gaussianKernel(sigma) {
  if (sigma < 0.02) return [1];
  const radius = Math.ceil(sigma);
  const weights = [];
  for (let j = -radius; j <= radius; j++) weights.push(Math.exp(-(j * j) / (2 * sigma * sigma)));
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / sum);
}

function smooth(values, sigma) {
  const kernel = gaussianKernel(sigma);
  const radius = kernel.length >> 1;
  return values.map((_, i) => {
    let sum = 0;
    const last = Math.min(values.length - 1, i + radius);
    for (let j = Math.max(0, i - radius); j <= last; j++) sum += values[j] * kernel[i - j + radius];
    return sum;
  });
}

function derivative(values, alpha) {
  return values.map((value, i) => {
    const ahead = values.slice(i + 1, i + 1 + alpha);
    return ahead.length ? ahead.reduce((a, b) => a + b, 0) / ahead.length - value : 0;
  });
}

function deviation(values) {
  const mean = values.reduce((a, b) => a + b, 0) / (values.length || 1);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length || 1));
}

// Half the negative squared distance, without the term that is the same for all centroids.
function closeness(point, centroid) {
  return centroid.reduce((sum, c, axis) => sum + c * point[axis] - (c * c) / 2, 0);
}

function kMeans(points, centroids, pinned) {
  for (let round = 0; round < 100; round++) {
    const sums = centroids.map((centroid) => centroid.map(() => 0));
    const sizes = centroids.map(() => 0);
    for (const point of points) {
      const close = centroids.map((centroid) => closeness(point, centroid));
      const best = Math.max(...close);
      close.forEach((value, c) => {
        if (value < best) return;
        sizes[c] += 1;
        point.forEach((x, axis) => (sums[c][axis] += x));
      });
    }
    const moved = centroids.map((centroid, c) =>
      c < pinned || !sizes[c] ? centroid : sums[c].map((sum) => sum / sizes[c]));
    if (moved.every((centroid, c) => centroid.every((x, axis) => x === centroids[c][axis]))) break;
    centroids = moved;
  }
  return centroids;
}

function clusters(points, k, pinned) {
  const far = points[0].map((_, axis) => points.reduce((max, p) => Math.max(max, p[axis]), 0));
  const seeds = Array.from({ length: k }, (_, c) => far.map((x) => (x * c) / (k - 1)));
  const centroids = kMeans(points, seeds, pinned);
  const lengths = centroids.map((centroid) => centroid.reduce((sum, x) => sum + x * x, 0));
  const boilerplate = lengths.indexOf(Math.min(...lengths));
  const cluster = [], score = [];
  for (const point of points) {
    const close = centroids.map((centroid) => closeness(point, centroid));
    const others = close.filter((_, c) => c !== boilerplate);
    cluster.push(close.indexOf(Math.max(...close)));
    score.push(Math.max(...others) - close[boilerplate]);
  }
  return { centroids, boilerplate, cluster, score };
}

// Computes the smoothed ratios, slopes and clusters of a page, and the scores of one method.
function cetr(method, ratios, { sigma, alpha, k, lam }) {
  const smoothed = smooth(ratios, sigma);
  const slope = smooth(derivative(smoothed, alpha), sigma).map(Math.abs);
  const figures = clusters(smoothed.map((x, i) => [x, slope[i]]), k, 1);
  const threshold = lam * deviation(smoothed);
  const score = {
    "cetr": () => figures.score,
    "cetr-km": () => clusters(smoothed.map((x) => [x]), k, 0).score,
    "cetr-tm": () => smoothed.map((x) => x - threshold),
  }[method]();
  return { ...figures, smoothed, slope, score, threshold };
}
