/**
 * Media types of challenge files. By default, files share the site's origin, whose content security policy
 * allows scripts and styles from it. No type here may be one that a browser runs as a script, applies as a
 * style sheet or opens as a page, and `nosniff` keeps browsers from guessing another type. Such files are
 * sent as text, and unknown types as bytes.
 */
const TYPES: Readonly<Record<string, string>> = {
  '.7z': 'application/x-7z-compressed',
  '.avif': 'image/avif',
  '.bz2': 'application/x-bzip2',
  '.c': 'text/plain; charset=utf-8',
  '.css': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.html': 'text/plain; charset=utf-8',
  '.jar': 'application/java-archive',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/plain; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pcap': 'application/vnd.tcpdump.pcap',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.py': 'text/plain; charset=utf-8',
  '.rs': 'text/plain; charset=utf-8',
  '.sol': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.tar': 'application/x-tar',
  '.tgz': 'application/gzip',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.wav': 'audio/wav',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.xml': 'text/plain; charset=utf-8',
  '.xz': 'application/x-xz',
  '.zip': 'application/zip',
  '.zst': 'application/zstd',
}

/** The media type for a file extension with its dot. */
export function mediaTypeOf(extension: string): string {
  return TYPES[extension.toLowerCase()] ?? 'application/octet-stream'
}
