#!/bin/sh
# Every #include "folder/..." must be allowed by deps.txt (given as $1).
cd "$(dirname "$1")" || exit 1
status=0
grep -v '^#' deps.txt | { while IFS=: read -r folder allowed; do
    [ -n "$folder" ] || continue
    for found in $(grep -ho '^#include "[a-z]*/' "$folder"/*.[chS] "$folder"/*/*.[chS] 2>/dev/null | sed 's/.*"//; s,/,,' | sort -u); do
        case " $folder $allowed " in
        *" $found "*) ;;
        *) echo "src/$folder includes $found/, which deps.txt does not allow"; status=1 ;;
        esac
    done
done
grep -l '#include <mpi.h>' */*.[ch] | grep -v '^shim/' && { echo "only src/shim may include mpi.h"; status=1; }
exit $status; }
