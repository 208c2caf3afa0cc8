// Pictures in Markdown texts. Without imports, so that the site has it without the schema library.

/** Code, which has no pictures; `![name](address`; and `<img src="address`. */
const PICTURE =
  /```[^]*?```|~~~[^]*?~~~|`[^`\n]*`|(!\[[^\]\n]*\]\(\s*<?)([^)<>\s]+)|(<img\b[^<>]*?\ssrc\s*=\s*["']?)([^"'\s<>]+)/gi

/** The text with other addresses for its pictures. `change` is called for each picture, in order. */
export function replacePictures(text: string, change: (address: string) => string): string {
  return text.replaceAll(PICTURE, (all: string, ...groups: (string | undefined)[]) => {
    const [before = groups[2], address = groups[3]] = groups
    return before === undefined || address === undefined ? all : before + change(address)
  })
}

/** The addresses of the pictures of a text. */
export function picturesIn(text: string): string[] {
  const found = new Set<string>()
  replacePictures(text, (address) => {
    found.add(address)
    return address
  })
  return [...found]
}

/**
 * Whether the address means a file beside the text, one of another site that is in none of the sources, or one that
 * readers see.
 */
export function placeOfPicture(address: string, sources: readonly string[]): 'beside' | 'elsewhere' | 'seen' {
  if (/^https?:\/\//i.test(address)) {
    const { origin, protocol } = URL.canParse(address) ? new URL(address) : { origin: '', protocol: '' }
    return sources.includes(origin) || sources.includes(protocol) ? 'seen' : 'elsewhere'
  }
  return /^(?:[a-z][\w+.-]*:|[/#])/i.test(address) ? 'seen' : 'beside'
}
