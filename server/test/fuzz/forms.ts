import * as fc from 'fast-check'
import { words } from './odd-values.ts'

export interface Form {
  readonly contentType: string | null
  readonly body: Buffer | null
}

const BOUNDARY = 'x-pennant-boundary'

const partName = fc.constantFrom(
  'files',
  'avatar',
  'file',
  'captchaCode',
  '__proto__',
  'constructor',
  '',
  'a'.repeat(200),
)
const fileName = fc.constantFrom(
  ...words(String.raw`
    a.txt a.png é.txt .. . ../../etc/passwd /etc/passwd C:\windows\x a/b a\b a:b a%00b con .htaccess a"b a;b`),
  '',
  'a\0b',
  '\u202etxt.exe',
  'x'.repeat(255),
  'é'.repeat(200),
  'x'.repeat(300),
)
const contentType = fc.constantFrom(
  'text/plain',
  'image/png',
  'text/html',
  'image/svg+xml',
  '',
  'a',
  'multipart/mixed; boundary=y',
)
const content = fc.oneof(
  fc.constantFrom(
    '',
    'hello',
    '\0\0',
    '<svg onload=alert(1)>',
    '\x89PNG\r\n\x1a\n',
    `--${BOUNDARY}`,
    'x'.repeat(20_000),
  ),
  fc.string({ maxLength: 50 }),
)

/** One part: valid, or with a misleading header. */
const part = fc
  .record({
    name: partName,
    file: fc.option(fileName),
    type: fc.option(contentType),
    content,
    extra: fc.option(extraHeader()),
  })
  .map(({ name, file, type, content: text, extra }) => {
    const disposition = `form-data; name="${name}"${file === null ? '' : `; filename="${file}"`}`
    const headers = [
      `Content-Disposition: ${disposition}`,
      ...(type === null ? [] : [`Content-Type: ${type}`]),
    ]
    return `${[...headers, ...(extra === null ? [] : [extra])].join('\r\n')}\r\n\r\n${text}`
  })

function extraHeader(): fc.Arbitrary<string> {
  return fc.constantFrom(
    'Content-Transfer-Encoding: base64',
    'Content-Length: 99999999',
    'Content-Disposition: form-data; name="files"; filename="../x"',
    "Content-Disposition: form-data; name=files; filename*=UTF-8''%00",
    "Content-Disposition: form-data; name=files; filename*=UTF-8''..%2fx",
    `X: ${'y'.repeat(20_000)}`,
    'no colon at all',
    ': no name',
  )
}

const join = (parts: readonly string[], end = `--${BOUNDARY}--\r\n`) =>
  parts.map((text) => `--${BOUNDARY}\r\n${text}\r\n`).join('') + end

const body = fc.oneof(
  { weight: 4, arbitrary: fc.array(part, { maxLength: 4 }).map((parts) => join(parts)) },
  { weight: 1, arbitrary: fc.array(part, { maxLength: 2 }).map((parts) => join(parts, '')) },
  { weight: 1, arbitrary: part.map((text) => join(Array.from({ length: 200 }, () => text.slice(0, 200)))) },
  {
    weight: 1,
    arbitrary: fc.tuple(part, fc.nat(400)).map(([text, length]) => join([text]).slice(0, length)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '',
      '\r\n',
      `--${BOUNDARY}`,
      `--${BOUNDARY}--`,
      `--${BOUNDARY}\r\n\r\n`,
      `--${BOUNDARY}\n\nx\n--${BOUNDARY}--`,
      `${`--${BOUNDARY}\r\n`.repeat(500)}`,
      `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\nx\r\n--${BOUNDARY}--`,
      `--${BOUNDARY}\r\nContent-Disposition: attachment; name="files"; filename="a"\r\n\r\nx\r\n--${BOUNDARY}--`,
    ),
  },
)

const formType = fc.oneof(
  { weight: 5, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      null,
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
      'multipart/form-data; boundary=other',
      `multipart/form-data; boundary=${'b'.repeat(300)}`,
      `multipart/form-data; boundary=${BOUNDARY}; boundary=y`,
      `multipart/mixed; boundary=${BOUNDARY}`,
      'application/x-www-form-urlencoded',
      'application/json',
      'multipart/form-data; charset=utf-16; boundary=x',
    ),
  },
)

/** Forms, mostly malformed: no boundary, no end, many parts, misleading headers, paths as file names. */
export const forms: fc.Arbitrary<Form> = fc.record({
  contentType: formType,
  body: fc.oneof(
    { weight: 9, arbitrary: body.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
})
