import * as fc from 'fast-check'
import { createCipheriv, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createTokens, type OpenedToken, type TokenKind } from './tokens.ts'

const key = Buffer.alloc(32, 7)
const start = 1_700_000_000_000
const hour = 3_600_000
const everyKind: readonly TokenKind[] = ['auth', 'team', 'register', 'update', 'handoff']

function tokensAt(now: () => number, tokenKey = key) {
  return createTokens({ key: tokenKey, now, loginTimeoutMs: hour })
}

const tokens = tokensAt(() => start)
const issued: readonly { readonly token: string; readonly value: OpenedToken }[] = [
  { token: tokens.issueAuth('t1'), value: { kind: 'auth', teamId: 't1' } },
  { token: tokens.issueTeam('t1'), value: { kind: 'team', teamId: 't1' } },
  {
    token: tokens.issueVerify({ kind: 'register', verifyId: 'v1' }),
    value: { kind: 'register', verifyId: 'v1' },
  },
  {
    token: tokens.issueVerify({ kind: 'update', verifyId: 'v2', teamId: 't1', email: 'a@b.org' }),
    value: { kind: 'update', verifyId: 'v2', teamId: 't1', email: 'a@b.org' },
  },
  {
    token: tokens.issueHandoff({ name: 'Näme', extrankId: '77' }),
    value: { kind: 'handoff', name: 'Näme', extrankId: '77' },
  },
]

/** A token made as the contract's page describes it, from outside. */
function sealed(plain: string, tokenKey = key): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', tokenKey, iv)
  return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}

describe.each(issued)('a token of kind $value.kind', ({ token, value }) => {
  test.each(everyKind)('opens where %s is taken only if it is of that kind', (kind) => {
    expect(tokens.open(token, [kind])).toEqual(kind === value.kind ? value : null)
  })

  test('opens among several kinds, as standard base64 and as base64url', () => {
    expect(tokens.open(token, everyKind)).toEqual(value)
    expect(tokens.open(Buffer.from(token, 'base64').toString('base64url'), everyKind)).toEqual(value)
  })

  test('opens in its last second, and after it only when it never expires', () => {
    const lasting = value.kind === 'auth' || value.kind === 'team'
    expect(tokensAt(() => start + hour + 999).open(token, everyKind)).toEqual(value)
    expect(tokensAt(() => start + hour + 1000).open(token, everyKind)).toEqual(lasting ? value : null)
  })

  test('does not open with another key', () => {
    expect(tokensAt(() => start, Buffer.alloc(32, 8)).open(token, everyKind)).toBeNull()
  })

  test('does not open after any of its bytes has changed or is cut off', () => {
    const bytes = Buffer.from(token, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(tokens.open(changed.toString('base64'), everyKind)).toBeNull()
      expect(tokens.open(bytes.subarray(0, at).toString('base64'), everyKind)).toBeNull()
    }
  })
})

test('two tokens of one team differ', () => {
  const seen = new Set(Array.from({ length: 1000 }, () => tokens.issueAuth('t1').slice(0, 16)))
  expect(seen.size).toBe(1000)
})

test('a token that was sealed elsewhere with our key opens', () => {
  const token = sealed('{"k":0,"t":1600000000,"d":"from-before"}')
  expect(tokens.open(token, ['auth'])).toEqual({ kind: 'auth', teamId: 'from-before' })
})

test('a verify token that is issued again keeps the first one’s life', () => {
  const later = tokensAt(() => start + hour / 2)
  const token = later.issueVerify({ kind: 'register', verifyId: 'v1' }, start)
  expect(tokensAt(() => start + hour).open(token, ['register'])).not.toBeNull()
  expect(tokensAt(() => start + hour + 1000).open(token, ['register'])).toBeNull()
})

test('garbage opens nothing and throws nothing', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => tokens.open(text, everyKind) === null))
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      (bytes) => tokens.open(Buffer.from(bytes).toString('base64'), everyKind) === null,
    ),
  )
  expect(tokens.open('A'.repeat(100_000), everyKind)).toBeNull()
})

test('sealed JSON of another shape opens nothing and throws nothing', () => {
  const payload = fc.oneof(
    fc.jsonValue(),
    fc.record({ verifyId: fc.jsonValue(), kind: fc.constantFrom('register', 'update', 'x') }),
  )
  const plain = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record({ k: fc.constantFrom(2, 3, 4, 5, '0', null), t: fc.constant(1_700_000_000), d: payload })
      .map((value) => JSON.stringify(value)),
  )
  fc.assert(
    fc.property(plain, (text) => {
      const opened = tokens.open(sealed(text), everyKind)
      return opened === null || (opened.kind === 'register' && typeof opened.verifyId === 'string')
    }),
  )
})
