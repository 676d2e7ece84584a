export function methodTypes(): Promise<string>
