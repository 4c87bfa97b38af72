#!/bin/sh
# A script around an MPI program, as users write to set the environment.
#
# run: -n 3 {bin}/context first "second one"
# needs: context
# env: COLOUR=blue
COLOUR="$COLOUR and green"
export COLOUR
cd / || exit 1
exec "$@"
