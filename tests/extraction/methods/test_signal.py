"""Smoothing, derivative and k-means, on numbers that can be checked on paper."""

from math import ceil, exp

import numpy as np
import pytest

from scrapy_cetr.extraction.columns import Floats
from scrapy_cetr.extraction.methods import signal
from scrapy_cetr.extraction.methods.signal import derivative, gaussian_kernel, k_means, smooth

SIGMAS = [0, 0.3, 0.5, 1, 1.2, 2, 6.5, 7, 100]


def floats(*values: float) -> Floats:
    return np.array(values, np.float64)


# Equations 1 and 2: the kernel


@pytest.mark.parametrize("sigma", SIGMAS)
def test_the_kernel_reaches_sigma_rounded_up_to_either_side(sigma: float) -> None:
    assert len(gaussian_kernel(sigma)) == 2 * ceil(sigma) + 1


@pytest.mark.parametrize("sigma", SIGMAS)
def test_the_kernel_is_normalised_and_symmetric(sigma: float) -> None:
    kernel = gaussian_kernel(sigma)
    assert kernel.sum() == pytest.approx(1)
    assert kernel.tolist() == pytest.approx(kernel[::-1].tolist())


@pytest.mark.parametrize("sigma", [0.5, 1, 2, 6.5])
def test_the_kernel_falls_as_the_paper_says(sigma: float) -> None:
    kernel = gaussian_kernel(sigma)
    radius = ceil(sigma)
    for j in range(-radius, radius + 1):
        assert kernel[radius + j] / kernel[radius] == pytest.approx(exp(-(j**2) / (2 * sigma**2)))


def test_without_a_deviation_the_kernel_changes_nothing() -> None:
    assert gaussian_kernel(0).tolist() == [1]
    assert smooth(floats(3, 1, 4), 0).tolist() == [3, 1, 4]


# Equation 3: the convolution


@pytest.mark.parametrize("sigma", [1, 2, 3.5])
def test_smoothing_spreads_a_single_peak_into_the_kernel(sigma: float) -> None:
    peak = np.zeros(21)
    peak[10] = 1
    radius = ceil(sigma)
    smoothed = smooth(peak, sigma)
    assert smoothed[10 - radius : 11 + radius] == pytest.approx(gaussian_kernel(sigma))
    assert smoothed.sum() == pytest.approx(1)


def test_smoothing_weighs_the_neighbours_of_each_value() -> None:
    side, middle, _ = gaussian_kernel(1)
    expected = [10 * middle + 20 * side, 10 * side + 20 * middle + 30 * side]
    assert smooth(floats(10, 20, 30, 40), 1)[:2].tolist() == pytest.approx(expected)


def test_beyond_the_ends_there_is_nothing() -> None:
    assert smooth(floats(10), 1)[0] == pytest.approx(10 * gaussian_kernel(1)[1])


@pytest.mark.parametrize("size", [0, 1, 2, 5, 100])
@pytest.mark.parametrize("sigma", [0, 0.5, 7, 300])
def test_smoothing_keeps_the_number_of_values(size: int, sigma: float) -> None:
    assert len(smooth(np.ones(size), sigma)) == size


def test_smoothing_lowers_the_variance() -> None:
    values = floats(0, 0, 90, 80, 5, 85, 90, 0, 0, 60, 0, 0)
    variances = [smooth(values, sigma).var() for sigma in (0, 0.5, 1, 2, 3)]
    assert variances == sorted(variances, reverse=True)


def test_smoothing_lifts_a_short_line_between_long_ones() -> None:
    assert smooth(floats(80, 80, 5, 80, 80), 1)[2] > 40


def test_smoothing_lowers_a_single_high_line_among_low_ones() -> None:
    assert smooth(floats(0, 0, 0, 80, 0, 0, 0), 2)[3] < 21


def test_a_wider_kernel_lowers_a_single_peak_more() -> None:
    peak = floats(*[0] * 20, 80, *[0] * 20)
    heights = [smooth(peak, sigma)[20] for sigma in (0, 1, 2, 4, 8)]
    assert heights == sorted(heights, reverse=True)


@pytest.mark.parametrize(("size", "sigma"), [(1, 3), (10, 50), (1000, 7), (1023, 2.5)])
def test_both_ways_to_convolve_agree(
    size: int, sigma: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = np.arange(size, dtype=np.float64) * 7 % 17
    direct = smooth(values, sigma)
    monkeypatch.setattr(signal, "_WIDE", 0)
    monkeypatch.setattr(signal, "_MANY", 0)
    assert smooth(values, sigma) == pytest.approx(direct)


def test_smoothing_leaves_its_input_alone() -> None:
    values = floats(1, 2, 3)
    smooth(values, 1)
    assert values.tolist() == [1, 2, 3]


# Equation 4: the derivative


def test_the_derivative_is_the_mean_of_the_next_values_less_the_value() -> None:
    values = floats(10, 20, 40, 60, 0)
    assert derivative(values, 3)[0] == (20 + 40 + 60) / 3 - 10
    assert derivative(values, 3)[1] == pytest.approx((40 + 60 + 0) / 3 - 20)


def test_near_the_end_the_derivative_takes_as_many_values_as_there_are() -> None:
    assert derivative(floats(10, 20, 40, 60), 3)[1:].tolist() == [30, 20, 0]


def test_with_an_alpha_of_one_the_derivative_is_the_difference_to_the_next() -> None:
    assert derivative(floats(1, 5, 3, 3), 1).tolist() == [4, -2, 0, 0]


def test_the_derivative_of_a_flat_histogram_is_zero() -> None:
    assert derivative(floats(7, 7, 7, 7, 7), 3).tolist() == [0] * 5


@pytest.mark.parametrize("size", [0, 1, 2])
def test_the_derivative_of_few_values_has_as_many(size: int) -> None:
    assert len(derivative(np.ones(size), 3)) == size


# k-means


def labels(points: Floats, centroids: Floats, *, pinned: int = 0) -> list[int]:
    found: list[int] = k_means(points, centroids, pinned=pinned)[1].argmax(0).tolist()
    return found


def test_the_origin_is_pinned_in_every_round() -> None:
    # Between 0 and 11 the border is 5.5; the other centroid goes to (6 + 11) / 2 = 8.5, the border
    # to 4.25, the centroid to (5 + 6 + 11) / 3 = 22/3, the border to 11/3.
    points, seeds = floats(3, 5, 6, 11)[None], floats(0, 11)[None]
    centroids, _ = k_means(points, seeds, pinned=1)
    assert centroids.tolist() == [[0, pytest.approx(22 / 3)]]
    assert labels(points, seeds, pinned=1) == [0, 1, 1, 1]


def test_without_a_pin_the_same_points_part_elsewhere() -> None:
    # The first centroid goes to 4, the border to (4 + 8.5) / 2 = 6.25, and so on to 14/3 and 11.
    # Pinned only after that, the border would be 5.5 and the labels 0, 0, 1, 1.
    points, seeds = floats(3, 5, 6, 11)[None], floats(0, 11)[None]
    centroids, _ = k_means(points, seeds)
    assert centroids.tolist() == [[pytest.approx(14 / 3), 11]]
    assert labels(points, seeds) == [0, 0, 0, 1]


def test_the_pin_holds_both_coordinates_at_the_origin() -> None:
    points = np.array([[1.0, 2, 10, 11, 30, 31], [0, 1, 9, 9, 0, 1]])
    seeds = np.array([[0.0, 10, 30], [0, 9, 0]])
    centroids, _ = k_means(points, seeds, pinned=1)
    assert centroids.T.tolist() == [[0, 0], [10.5, 9], [30.5, 0.5]]
    assert labels(points, seeds, pinned=1) == [0, 0, 1, 1, 2, 2]


def test_the_other_clusters_migrate_away_from_the_origin() -> None:
    # Where the first centroid may move, it takes over points that are not near the origin.
    points = floats(*[1] * 50, 4, 9, 10, 11)[None]
    seeds = floats(0, 5.5, 11)[None]
    assert k_means(points, seeds, pinned=1)[0][0, 0] == 0
    assert k_means(points, seeds)[0][0, 0] > 0


def test_clusters_are_by_distance_in_the_plane_and_not_by_one_coordinate() -> None:
    points = np.array([[5.0, 5, 6, 6], [0, 10, 0, 10]])
    seeds = np.array([[5.0, 5.0], [0, 10]])
    assert labels(points, seeds) == [0, 1, 0, 1]


def test_a_cluster_without_points_stays_where_it_is() -> None:
    centroids, _ = k_means(floats(9, 10, 11)[None], floats(0, 10, 100)[None])
    assert centroids.tolist() == [[0, 10, 100]]


def test_points_that_are_all_the_same_belong_to_the_first_cluster() -> None:
    assert labels(np.zeros((2, 4)), np.zeros((2, 3)), pinned=1) == [0, 0, 0, 0]


def test_no_points_are_no_trouble() -> None:
    centroids, closeness = k_means(np.zeros((2, 0)), np.ones((2, 3)))
    assert centroids.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert closeness.shape == (3, 0)


def test_the_order_of_the_points_does_not_matter() -> None:
    points = np.array([[1.0, 31, 2, 10, 30, 11, 3], [2, 0, 1, 8, 1, 9, 0]])
    seeds = np.array([[0.0, 15, 31], [0, 5, 9]])
    order = np.array([3, 6, 0, 5, 1, 4, 2])
    centroids, closeness = k_means(points, seeds, pinned=1)
    again, shuffled = k_means(points[:, order], seeds, pinned=1)
    assert again == pytest.approx(centroids)
    assert shuffled.argmax(0).tolist() == closeness.argmax(0)[order].tolist()


def test_the_same_points_give_the_same_clusters_every_time() -> None:
    points = np.random.default_rng(0).random((2, 500))
    runs = [k_means(points, np.eye(2, 3), pinned=1)[1] for _ in range(3)]
    assert (runs[0] == runs[1]).all()
    assert (runs[0] == runs[2]).all()


def test_many_points_are_clustered_in_parts_with_the_same_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    points = np.random.default_rng(1).random((2, 300))
    seeds = np.array([[0.0, 0.5, 1], [0, 0.5, 1]])
    whole, _ = k_means(points, seeds, pinned=1)
    monkeypatch.setattr("scrapy_cetr.extraction.columns.CHUNK", 28)
    assert k_means(points, seeds, pinned=1)[0] == pytest.approx(whole)


def test_closeness_tells_which_of_two_centroids_is_nearer_and_by_how_much() -> None:
    # Half the difference of the squared distances: (5² - 3²) / 2.
    _, closeness = k_means(floats(3)[None], floats(0, 8)[None], pinned=2)
    assert closeness[0, 0] - closeness[1, 0] == (5**2 - 3**2) / 2


def test_k_means_leaves_its_input_alone() -> None:
    points, seeds = floats(1, 2, 9)[None], floats(0, 9)[None]
    k_means(points, seeds)
    assert points.tolist() == [[1, 2, 9]]
    assert seeds.tolist() == [[0, 9]]


@pytest.mark.parametrize("sigma", [1e-160, 1e-200, 5e-324])
def test_the_smallest_sigma_is_as_good_as_none(sigma: float) -> None:
    values = np.array([1.0, 5.0, 2.0])
    assert smooth(values, sigma).tolist() == values.tolist()
