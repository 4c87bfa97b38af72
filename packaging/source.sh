#!/bin/sh
# Copies the sources, without what was built, to a folder that is made for them.
# usage: source.sh FOLDER
here=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1" && folder=$(cd "$1" && pwd) && cd "$here" || exit 1
if git ls-files > /dev/null 2>&1; then
    git ls-files -co --exclude-standard | while read -r path; do [ -e "$path" ] && echo "$path"; done
else
    find . -name build -prune -o -name node_modules -prune -o -name .git -prune -o -type f -print
fi | tar cf - -T - | tar xf - -C "$folder"
