import type { Group } from "../group.js"

/** Every vector file we can check, by its name. */
export const groups: Readonly<Record<string, Group>> = {}
