export const HASH_FILE: string
export function sourcesHash(root: string): string
