"""The training of the learned method's weights: ``python -m training CORPORA…``."""
