"""Train the weights of the method ``clg`` on pages that a browser has rendered."""
