"""The learned method: ``method`` is where to start reading.

measurements → features (in groups) → network (with weights) → selection → calibration.
"""
