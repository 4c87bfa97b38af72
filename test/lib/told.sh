# Sourced by test scripts: cases, how each went, and the last line, `N passed, M failed`.  $log is a file for what a case says.
passed=0 failed=0

# told NAME COMMAND...: one case.  Its last words are shown if it fails; if it counts cases itself, how many there were.
told() {
    case_told=$1
    shift
    if "$@" > "$log" 2>&1; then
        echo "ok $case_told$(sed -n '$s/^\([0-9]* passed\), 0 failed$/ (\1)/p; s/^\[  PASSED  \] \([0-9]*\) test(s)\.$/ (\1 passed)/p' "$log")"
        passed=$((passed + 1))
    else
        echo "FAILED $case_told"
        tail -n 25 "$log"
        failed=$((failed + 1))
    fi
}

# The last line, and whether all went well.
end_told() {
    echo "$passed passed, $failed failed"
    [ $failed = 0 ]
}
