const NAMES = new Set(
  [
    [
      '.ds_store',
      '.localized',
      '.appledouble',
      '.lsoverride',
      '__macosx',
      '.apdisk',
      '.fseventsd',
      '.trashes',
    ],
    ['.spotlight-v100', '.temporaryitems', '.documentrevisions-v100'],
    ['thumbs.db', 'thumbs.db:encryptable', 'ehthumbs.db', 'ehthumbs_vista.db', 'desktop.ini', '$recycle.bin'],
    ['system volume information', '.directory', '@eadir', '.gitkeep', '.keep', '.placeholder'],
  ].flat(),
)
/** Resource forks of macOS, locks of office programs, and backups and swap files of editors. */
const PATTERN = /^(?:\._.*|~\$.*|\.~lock\..*#|\..*\.sw[a-p]|.+~)$/

/** Whether a file, or a folder around it, only serves an operating system, a version control or an editor. */
export function isJunk(path: string): boolean {
  return path.split('/').some((name) => NAMES.has(name.toLowerCase()) || PATTERN.test(name))
}
