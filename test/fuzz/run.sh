#!/bin/sh
# Runs targets built with libFuzzer, one after the other, from the inputs that are kept.
# Says what went wrong; the inputs of that are then in BUILD_DIR/crashes.
# usage: run.sh BUILD_DIR SECONDS TARGET...
build=$1 seconds=$2
shift 2
failed=0

# A target for some seconds, with leaks looked for or not.
fuzz()
{
    ASAN_OPTIONS=detect_leaks=$3 "$build/test/fuzz/$1" -max_total_time="$2" -timeout=60 -rss_limit_mb=4096 \
        -malloc_limit_mb=512 -close_fd_mask=1 -print_final_stats=1 -artifact_prefix="$build/crashes/$1-" \
        "$build/corpus/$1" "test/fuzz/corpus/$1" >"$build/$1.log" 2>&1 || failed=1
    grep -aE 'ERROR|SUMMARY|bug:|died:|Test unit written|number_of_executed_units' "$build/$1.log"
}

for target; do
    mkdir -p "$build/corpus/$target" "$build/crashes"
    echo "  FUZZ  $target"
    if grep -q 'refuses by die' "test/fuzz/$target.c"; then
        # with a jump, so what the input held is lost: a new process now and then
        for i in $(seq $(((seconds + 29) / 30))); do
            fuzz "$target" $((seconds < 30 ? seconds : 30)) 0
        done
    else
        fuzz "$target" "$seconds" 1
    fi
done
exit $failed
