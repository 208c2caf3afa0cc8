const QUOTED = /^"((?:\\.|[^"\\])*)" (<.+>)$/s

/** An encoded word has at most 75 characters; 12 of them surround the base64. */
const WORD_BYTES = 45

/** Encodes `"Näme" <address>` in ASCII, for services that send headers verbatim (RFC 2047). */
export function asciiSender(from: string): string {
  const [, quoted, address] = QUOTED.exec(from) ?? []
  // oxlint-disable-next-line no-control-regex
  if (quoted === undefined || /^[\x00-\x7f]*$/.test(quoted)) return from
  return `${encodedWords(quoted.replace(/\\(.)/gs, '$1'))} ${address}`
}

function encodedWords(text: string): string {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    // A character must not be split across words.
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word)
      word = ''
    }
    word += character
  }
  words.push(word)
  return words.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}
