import * as fc from 'fast-check'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '@pennant/contract/durations.ts'
import { createTokens, isVoid, type OpenedToken, type TokenKind } from './tokens.ts'

const key = Buffer.alloc(32, 7)
const start = 1_700_000_000_000
const everyKind: readonly TokenKind[] = ['auth', 'external', 'team', 'register', 'update', 'handoff']

function tokensAt(now: () => number, tokenKey = key) {
  return createTokens({ key: tokenKey, now, loginTimeoutMs: HOUR_MS })
}

const tokens = tokensAt(() => start)
const issuedAt = start
const issued: readonly { readonly token: string; readonly value: OpenedToken }[] = [
  { token: tokens.issueAuth('t1'), value: { kind: 'auth', teamId: 't1', issuedAt } },
  { token: tokens.issueExternal('t1', start), value: { kind: 'external', teamId: 't1', issuedAt } },
  { token: tokens.issueTeam('t1'), value: { kind: 'team', teamId: 't1', issuedAt } },
  {
    token: tokens.issueVerify({ kind: 'register', verifyId: 'v1' }),
    value: { kind: 'register', verifyId: 'v1', issuedAt },
  },
  {
    token: tokens.issueVerify({ kind: 'update', verifyId: 'v2', teamId: 't1', email: 'a@b.org' }),
    value: { kind: 'update', verifyId: 'v2', teamId: 't1', email: 'a@b.org', issuedAt },
  },
  {
    token: tokens.issueHandoff({ name: 'Näme', extrankId: '77' }),
    value: { kind: 'handoff', name: 'Näme', extrankId: '77', issuedAt },
  },
]

/** A token built from its description, not by the code under test: docs/reference/accounts.md#token-format */
function sealed(plain: string, tokenKey = key): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', tokenKey, iv)
  return Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  )
}

describe.each(issued)('a token of kind $value.kind', ({ token, value }) => {
  test.each(everyKind)('opens where %s is accepted only if it has that kind', (kind) => {
    expect(tokens.open(token, [kind])).toEqual(kind === value.kind ? value : null)
  })

  test('opens when several kinds are accepted, in base64 and base64url', () => {
    expect(tokens.open(token, everyKind)).toEqual(value)
    expect(tokens.open(Buffer.from(token, 'base64').toString('base64url'), everyKind)).toEqual(value)
  })

  test('opens until its last second, and later only if it never expires', () => {
    const lasting = ['auth', 'external', 'team'].includes(value.kind)
    expect(tokensAt(() => start + HOUR_MS + 999).open(token, everyKind)).toEqual(value)
    expect(tokensAt(() => start + HOUR_MS + 1000).open(token, everyKind)).toEqual(lasting ? value : null)
  })

  test('does not open with another key', () => {
    expect(tokensAt(() => start, Buffer.alloc(32, 8)).open(token, everyKind)).toBeNull()
  })

  test('does not open if any byte is changed or removed', () => {
    const bytes = Buffer.from(token, 'base64')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(tokens.open(changed.toString('base64'), everyKind)).toBeNull()
      expect(tokens.open(bytes.subarray(0, at).toString('base64'), everyKind)).toBeNull()
    }
  })
})

test('two tokens of the same team differ', () => {
  const seen = new Set(Array.from({ length: 1000 }, () => tokens.issueAuth('t1').slice(0, 16)))
  expect(seen.size).toBe(1000)
})

test('opens a token that another program sealed with the same key', () => {
  const token = sealed('{"k":0,"t":1600000000,"d":"from-before"}')
  expect(tokens.open(token, ['auth'])).toEqual({
    kind: 'auth',
    teamId: 'from-before',
    issuedAt: 1_600_000_000_000,
  })
})

test('a reissued verify token expires together with the first one', () => {
  const later = tokensAt(() => start + HOUR_MS / 2)
  const token = later.issueVerify({ kind: 'register', verifyId: 'v1' }, start)
  expect(tokensAt(() => start + HOUR_MS).open(token, ['register'])).not.toBeNull()
  expect(tokensAt(() => start + HOUR_MS + 1000).open(token, ['register'])).toBeNull()
})

test("a token is never dated before the team's validity start", () => {
  const team = { tokensValidFrom: start + 61_000 }
  const later = [
    tokens.issueAuth('t1', team.tokensValidFrom),
    tokens.issueTeam('t1', team.tokensValidFrom),
    tokens.issueHandoff({ name: 'n', extrankId: '77' }, team.tokensValidFrom),
  ]
  for (const token of later) {
    const opened = tokens.open(token, everyKind)
    expect(opened?.issuedAt).toBe(team.tokensValidFrom)
    expect(opened && isVoid(opened, team)).toBe(false)
  }
  for (const { value } of issued) {
    expect(isVoid(value, team)).toBe(true)
    expect(isVoid(value, { tokensValidFrom: 0 })).toBe(false)
    expect(isVoid(value, { tokensValidFrom: start })).toBe(false)
  }
})

test('a version that does not know tokens for external sites rejects them', () => {
  // An older version expects a team id as payload and finds an object.
  const bytes = Buffer.from(tokens.issueExternal('t1', start), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
  decipher.setAuthTag(bytes.subarray(-16))
  const plain = decipher.update(bytes.subarray(12, -16)).toString() + decipher.final('utf8')
  expect(JSON.parse(plain)).toEqual({ k: 0, t: start / 1000, d: { userId: 't1', kind: 'external' } })
})

test('garbage does not open and does not throw', () => {
  fc.assert(fc.property(fc.string({ maxLength: 300 }), (text) => tokens.open(text, everyKind) === null))
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 300 }),
      (bytes) => tokens.open(Buffer.from(bytes).toString('base64'), everyKind) === null,
    ),
  )
  expect(tokens.open('A'.repeat(100_000), everyKind)).toBeNull()
})

test('sealed JSON with an unknown shape does not open and does not throw', () => {
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
