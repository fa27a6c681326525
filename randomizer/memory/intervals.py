"""Estimates of means and proportions, with confidence intervals.

Means have intervals by Student's t distribution, and proportions have Wilson score intervals:

- https://en.wikipedia.org/wiki/Student%27s_t-distribution#Confidence_intervals
- https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval
"""

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin, sqrt, tan
from statistics import NormalDist, fmean, stdev
from typing import Annotated, TypedDict

CONFIDENCE = 0.95
SampleSize = Annotated[int, {"maximum": 1_000_000_000}]


class Estimate(TypedDict):
    """A mean or a proportion of `count` values, and its confidence interval from `low` to `high`.

    Without values, all three are null. A mean has no interval unless there are two different values.
    """

    count: SampleSize
    mean: float | None
    low: float | None
    high: float | None


def estimate_mean(values: Sequence[int]) -> Estimate:
    """Estimate the mean of a normal distribution from a sample."""
    count = len(values)
    if not count:
        return Estimate(count=0, mean=None, low=None, high=None)
    mean = fmean(values)
    if len(set(values)) < 2:  # The sample does not show how much values differ.
        return Estimate(count=count, mean=mean, low=None, high=None)
    margin = find_t_quantile(CONFIDENCE, count - 1) * stdev(values) / sqrt(count)
    return Estimate(count=count, mean=mean, low=mean - margin, high=mean + margin)


def estimate_proportion(successes: int, count: int) -> Estimate:
    """Estimate the probability of success from the number of successes in `count` trials."""
    if not count:
        return Estimate(count=0, mean=None, low=None, high=None)
    proportion, z_squared = successes / count, NormalDist().inv_cdf((1 + CONFIDENCE) / 2) ** 2
    center = (proportion + z_squared / (2 * count)) / (1 + z_squared / count)
    variance = proportion * (1 - proportion) / count + z_squared / (4 * count**2)
    margin = sqrt(z_squared * variance) / (1 + z_squared / count)
    low, high = max(0.0, center - margin), min(1.0, center + margin)
    return Estimate(count=count, mean=proportion, low=low, high=high)


@cache
def find_t_quantile(probability: float, degrees_of_freedom: int) -> float:
    """Return the t for which a value of Student's t distribution lies between -t and t with this probability.

    It is found by bisection, because the probability increases with t.

    Args:
        probability: the probability that the value lies between -t and t.
        degrees_of_freedom: the degrees of freedom, at least 1.
    """
    low, high = 0.0, pi / 2
    for _ in range(50):  # Each step halves the error, which in the end is below floating-point precision.
        middle = (low + high) / 2
        if _compute_central_probability(middle, degrees_of_freedom) < probability:
            low = middle
        else:
            high = middle
    return sqrt(degrees_of_freedom) * tan(low)


def _compute_central_probability(angle: float, degrees_of_freedom: int) -> float:
    """Return the probability that a value of the t distribution lies between -t and t.

    The formula is a finite sum (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3-26.7.4).

    Args:
        angle: the arctangent of t, divided by the square root of the degrees of freedom.
        degrees_of_freedom: the degrees of freedom, at least 1.
    """
    is_odd = degrees_of_freedom % 2
    term, total = cos(angle) if is_odd else 1.0, 0.0
    for exponent in range(is_odd, degrees_of_freedom - 1, 2):
        total += term
        term *= (exponent + 1) / (exponent + 2) * cos(angle) ** 2
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total
