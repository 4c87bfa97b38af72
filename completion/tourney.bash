# Completion of tourney for bash.  test/unit/test_completion.py keeps the words in step with the options.

_tourney_number_of_finding() {
    local file=$1/result.json
    [ -r "$file" ] && sed -n 's/^   "id": \([0-9]*\),$/\1/p' "$file"
}

_tourney() {
    local commands="verify run dist resume replay report predict model ask dump demo --help --version"
    local verify="-n --np -o -j --jobs --buffering --max-runs --time --stop-first --quiet --hang-timeout --no-merge
        --mix-bound --sample --seed --engine --assume --sarif --junit --ci -W
        --suppressions --gen-suppressions --error-exitcode --each-args --color --help"
    local run="-n --np -o --record --buffering --tag-output --real-time --hang-timeout -W --color --help"
    local dist="-n --np -o --record --launcher --clock --parallel-jobs --show-output --buffering --max-runs --time --stop-first
        --quiet --mix-bound --sample --seed --sarif --junit --ci -W
        --suppressions --gen-suppressions --error-exitcode --color --help"
    local resume="-j --jobs --max-runs --time --quiet --color --help"
    local replay="--step --steps --gdb --gdb-batch --vscode --color --help"
    local report="-o --help"
    local predict="-n --np -o --quiet --buffering --assume --encoding --dimacs --proof --can --help"
    local model="-n --np -o -j --jobs --buffering --max-runs --time --hang-timeout --emit --check --no-fold --help"
    local ask="--max-runs --time --quiet --help"
    local dump="--json --help"
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} first=2 i

    COMPREPLY=()
    if ((COMP_CWORD == 1)) && [[ $word != -* ]]; then
        COMPREPLY=($(compgen -W "$commands" -- "$word"))
        return
    fi
    case $command in
    verify | run | dist | resume | replay | report | predict | model | ask | dump) ;;
    *) command=verify first=1 ;;
    esac
    case $before in
    -o | --record | --sarif | --junit | --suppressions | --each-args | --dimacs | --proof)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --engine)
        COMPREPLY=($(compgen -W "auto explore predict" -- "$word"))
        return
        ;;
    --assume)
        COMPREPLY=($(compgen -W "single-path" -- "$word"))
        return
        ;;
    --encoding)
        COMPREPLY=($(compgen -W "ours multi plain" -- "$word"))
        return
        ;;
    --color)
        COMPREPLY=($(compgen -W "auto always never" -- "$word"))
        return
        ;;
    --emit)
        COMPREPLY=($(compgen -W "promela tla dot json" -- "$word"))
        return
        ;;
    --clock)
        COMPREPLY=($(compgen -W "vector lamport" -- "$word"))
        return
        ;;
    --buffering)
        COMPREPLY=($(compgen -W "any infinite zero eager=" -- "$word"))
        return
        ;;
    -n | --np | --launcher | --parallel-jobs | -j | -W | --error-exitcode | --jobs | --max-runs | --time | --hang-timeout | --mix-bound | --sample | --seed | --step | --gdb-batch | --can)
        return
        ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "${!command}" -- "$word"))
    elif [[ $command == replay && $COMP_CWORD -gt $first && $before != -* ]]; then
        COMPREPLY=($(compgen -W "$(_tourney_number_of_finding "$before")" -- "$word"))
    elif [[ $command == replay || $command == resume || $command == report ]]; then
        COMPREPLY=($(compgen -d -- "$word"))
    else
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}

complete -o filenames -F _tourney tourney
