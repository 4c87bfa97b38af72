"""For suites whose cases do not look at the clock: several at a time, and told in their order."""
import concurrent.futures
import os


def each(function, items):
    """Yields (item, function(item)) for each of them."""
    items = list(items)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as workers:
        yield from zip(items, workers.map(function, items))


def tell(function, items, label):
    """Prints how each went, None for well, and how many did; the exit code."""
    passed = failed = 0
    for item, wrong in each(function, items):
        passed += wrong is None
        failed += wrong is not None
        print(f"FAILED {label(item)}: {wrong}" if wrong is not None else f"ok {label(item)}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed != 0
