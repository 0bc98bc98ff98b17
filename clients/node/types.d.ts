// What types.mts and types.cts share.

/** Are two types the same? any is not ObjectId. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
