if (MPI_NODE_COUNT > 1) {
  if (MPI_NODE_ID == 0) {
    for (round = 1; round <= 2; round += 1) {
      for (i = 1; i < MPI_NODE_COUNT; i += 1) { MPISend (i, "return " + round + "*10+" + i + ";"); }
      for (i = 1; i < MPI_NODE_COUNT; i += 1) { MPIReceive (-1, from, res); fprintf (stdout, "got ", res, "\n"); }
    }
  }
}
