/**
 * Returns the default number of API workers for a machine with this number of cores: one for each core but one, which the main process and the system
 * need. Two workers on two cores answer fewer calls than one process, because each of them answers fewer calls whenever it wakes up.
 */
export const defaultWorkerCount = (cores: number): number => Math.max(1, cores - 1)
