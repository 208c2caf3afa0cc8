import { expect, test } from 'vitest'
import { readPasted } from './pasted-token.ts'

const TOKEN = 'Ab3+cdEf/ghIjklMnopQrstUvwxYz0123456789abc=='
const ENCODED = encodeURIComponent(TOKEN)
const LINK = `https://ctf.example/verify#token=${ENCODED}`

test.each([
  ['plain', `  ${TOKEN}\n`],
  ['wrapped', 'Ab3+cdEf/ghIjklMnopQrst\r\n  UvwxYz0123456789abc=='],
  ['quoted by mail', '> Ab3+cdEf/ghIjklMnopQrst\n> > UvwxYz0123456789abc=='],
  ['quoted by mail in a text field', '> Ab3+cdEf/ghIjklMnopQrst> UvwxYz0123456789abc=='],
  ['border of a terminal', '│ Ab3+cdEf/ghIjklMnopQrst │\n│ UvwxYz0123456789abc==   │'],
  ['line continued', 'Ab3+cdEf/ghIjklMnopQrst\\\nUvwxYz0123456789abc=='],
  ['colours', `\u001B[1;32m${TOKEN}\u001B[0m`],
  ['quotation marks', `“${TOKEN}”`],
  ['straight quotation marks', `"${TOKEN}",`],
  ['code', `\`\`\`\n${TOKEN}\n\`\`\``],
  ['bold', `**${TOKEN}**`],
  ['angle brackets', `<${TOKEN}>`],
  ['invisible characters', `\uFEFFAb3+\u200BcdEf/\u00ADghIjkl\u00A0MnopQrstUvwxYz0123456789abc==\u202C`],
  ['label', `Team token: ${TOKEN}`],
  ['JSON', `{"teamToken": "${TOKEN}", "authToken": "x"}`],
  ['shell', `export TOKEN='${TOKEN}'`],
  ['header', `Authorization: Bearer ${TOKEN}`],
  ['HTML', `&quot;Ab3&#43;cdEf&#x2F;ghIjklMnopQrstUvwxYz0123456789abc==&quot;`],
  ['quoted-printable', 'Ab3+cdEf/ghIjklMnopQrst=\nUvwxYz0123456789abc=3D=3D'],
  ['percent-encoded', ENCODED],
  ['link', `https://ctf.example/login#token=${ENCODED}`],
])('reads a token: %s', (_, pasted) => {
  expect(readPasted(pasted)).toEqual({ kind: 'team', token: TOKEN })
})

test.each([
  ['plain', LINK],
  ['in angle brackets', `<${LINK}>`],
  ['wrapped inside an escape', LINK.replace('%2B', '%2\n> B')],
  ['with other parameters', `https://ctf.example/verify?x=1&amp;token=${ENCODED}&amp;y=2`],
  ['Markdown', `[Sign in](${LINK})`],
  ['in a sentence', `Sign in here: ${LINK}`],
  ['redirected', `https://safe.example/?url=${encodeURIComponent(LINK)}&data=1`],
  ['quoted-printable', `https://ctf.example/verify#token=3D${ENCODED.slice(0, 20)}=\n${ENCODED.slice(20)}`],
])('reads a link of a mail: %s', (_, pasted) => {
  expect(readPasted(pasted)).toEqual({ kind: 'link', token: TOKEN })
})

test('a token that begins like an escape stays whole', () => {
  expect(readPasted('https://ctf.example/login?token=3Dab').token).toBe('3Dab')
})

test.each(['https://ctf.example/', '%', '>>>', 'Token:'])(
  '%s is passed to the server, which refuses it',
  (text) => {
    expect(readPasted(text)).toEqual({ kind: 'team', token: text })
  },
)
