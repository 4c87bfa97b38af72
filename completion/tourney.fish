# Completion of tourney for fish.  test/unit/test_completion.py keeps the words in step with the options.

set -l commands verify run dist resume replay report predict model ask dump demo

function __tourney_command -a wanted
    set -l words (commandline -opc)
    set -l command verify
    if contains -- "$words[2]" verify run dist resume replay report predict model ask dump demo
        set command $words[2]
    end
    contains -- $command (string split , -- $wanted)
end

complete -c tourney -n "not __fish_seen_subcommand_from $commands" -a "$commands" -f
complete -c tourney -l help -d usage
complete -c tourney -n "not __fish_seen_subcommand_from $commands" -l version -d version
complete -c tourney -n "__tourney_command verify,run,dist,predict,model" -s n -l np -x -d "number of ranks"
complete -c tourney -n "__tourney_command verify,run,dist,report,model" -s o -r -d "directory of the result, record, or page"
complete -c tourney -n "__tourney_command run,dist" -l record -r -d "write the execution"
complete -c tourney -n "__tourney_command verify,run,dist,predict,model" -l buffering -x -a "any infinite zero eager=" -d "which sends return at once"
complete -c tourney -n "__tourney_command verify,run,model" -l hang-timeout -x -d "report ranks that make no call"
complete -c tourney -n "__tourney_command run" -l tag-output -d "lines begin with the rank"
complete -c tourney -n "__tourney_command run" -l real-time -d "MPI_Wtime is real"
complete -c tourney -n "__tourney_command verify,resume,model" -s j -l jobs -x -d "processors to use"
complete -c tourney -n "__tourney_command verify,dist,resume,model,ask" -l max-runs -x -d "stop after so many runs"
complete -c tourney -n "__tourney_command verify,dist,resume,model,ask" -l time -x -d "stop after so many seconds"
complete -c tourney -n "__tourney_command verify,run,dist,resume,replay" -l color -x -a "auto always never" -d "colours"
complete -c tourney -n "__tourney_command verify,dist,resume,ask" -l quiet -d "no progress"
complete -c tourney -n "__tourney_command verify,dist" -l stop-first -d "stop at the first defect"
complete -c tourney -n "__tourney_command verify" -l no-merge -d "every order on its own"
complete -c tourney -n "__tourney_command verify,dist" -l mix-bound -x -d "bounded deviations"
complete -c tourney -n "__tourney_command verify,dist" -l sample -x -d "so many runs at random"
complete -c tourney -n "__tourney_command verify,dist" -l seed -x -d "of the sample"
complete -c tourney -n "__tourney_command verify,dist" -l sarif -r -d "write the findings as SARIF"
complete -c tourney -n "__tourney_command verify,dist" -l junit -r -d "write the findings as JUnit XML"
complete -c tourney -n "__tourney_command verify,dist" -l ci -d "print annotations for GitHub"
complete -c tourney -n "__tourney_command verify,run,dist" -s W -x -d "how bad a kind of findings is"
complete -c tourney -n "__tourney_command verify,dist" -l suppressions -r -d "findings that are not told"
complete -c tourney -n "__tourney_command verify,dist" -l gen-suppressions -d "print a rule for each finding"
complete -c tourney -n "__tourney_command verify,dist" -l error-exitcode -x -d "in place of 1"
complete -c tourney -n "__tourney_command verify" -l each-args -r -d "lines of further arguments"
complete -c tourney -n "__tourney_command dist" -l launcher -x -d "how jobs are started"
complete -c tourney -n "__tourney_command dist" -l clock -x -a "vector lamport" -d "kind of clocks"
complete -c tourney -n "__tourney_command dist" -l parallel-jobs -x -d "jobs at one time"
complete -c tourney -n "__tourney_command dist" -l show-output -d "what ranks print is shown"
complete -c tourney -n "__tourney_command replay" -l step -x -d "stop after an operation"
complete -c tourney -n "__tourney_command replay" -l steps -d "list the operations"
complete -c tourney -n "__tourney_command replay" -l gdb -d "open gdb there"
complete -c tourney -n "__tourney_command replay" -l gdb-batch -x -d "run a command of gdb in every rank"
complete -c tourney -n "__tourney_command replay" -l vscode -d "write .vscode/launch.json and wait"
complete -c tourney -n "__tourney_command verify" -l engine -x -a "auto explore predict" -d "who looks for deadlocks"
complete -c tourney -n "__tourney_command verify,predict" -l assume -x -a "single-path" -d "all runs have the control flow of the first"
complete -c tourney -n "__tourney_command predict" -l can -x -d "whether two operations of a record can meet"
complete -c tourney -n "__tourney_command predict" -l encoding -x -a "ours multi plain" -d "how it is put to the solver"
complete -c tourney -n "__tourney_command predict" -l dimacs -r -d "write the formula"
complete -c tourney -n "__tourney_command predict" -l proof -r -d "write the proof"
complete -c tourney -n "__tourney_command model" -l emit -x -a "promela tla dot json" -d "in which language"
complete -c tourney -n "__tourney_command model" -l check -d "search it, with and without reduction"
complete -c tourney -n "__tourney_command model" -l no-fold -d "histories stay apart"
complete -c tourney -n "__tourney_command dump" -l json -d "as JSON"
