import { readdirSync } from 'node:fs'
import { join } from 'node:path/posix'

const root = join(import.meta.dirname, '..')

/** Installed packages, build output, and data of a server that runs here. */
const SKIPPED_FOLDERS =
  /^(?:.*\/)?(?:node_modules|dist(?:-\w+)?|coverage|\.git)$|^(?:data(?:-.*)?|pennant\.d)$/
const TEXT_FILES = /\.(?:[cm]?[jt]sx?|css|sql|md|html|ya?ml|sh|pl)$|^Containerfile$|^run$/

/** Paths of all files of the repository that people write, for checks that read code and documents alike. */
export function textFiles(folder = '.'): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return SKIPPED_FOLDERS.test(path) ? [] : textFiles(path)
    return TEXT_FILES.test(entry.name) ? [path] : []
  })
}
