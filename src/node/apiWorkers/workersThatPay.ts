/**
 * Returns the number of workers that pay off for a node with some cores: one for each core but one, which the main process and the system
 * need. Two workers on two cores answer fewer calls than one process, because each of them answers fewer calls whenever it wakes up.
 */
export const workersThatPay = (cores: number): number => Math.max(1, cores - 1)
