/** Writes the package to the folder, which must not exist. */
export function writeClientPackage(folder: string): void
