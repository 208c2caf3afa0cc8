import { openIdScopes, type OpenIdScope } from '@pennant/contract/openid.ts'
import { createSealer } from '../../../lib/sealer.ts'

/**
 * Contents of a token. `external` is an auth token for another site; `register` and `update` are the Verify
 * tokens.
 */
type Payload =
  | { readonly kind: 'auth'; readonly teamId: string }
  /** `clientId` is the site; earlier tokens do not name it. */
  | { readonly kind: 'external'; readonly teamId: string; readonly clientId?: string }
  /** A session of the team that began on the server's machine: it needs no second factor. */
  | { readonly kind: 'local'; readonly teamId: string; readonly expiresAt: number }
  | { readonly kind: 'team'; readonly teamId: string }
  | { readonly kind: 'localLink'; readonly verifyId: string; readonly teamId: string }
  | { readonly kind: 'register'; readonly verifyId: string }
  | { readonly kind: 'update'; readonly verifyId: string; readonly teamId: string; readonly email: string }
  | { readonly kind: 'handoff'; readonly name: string; readonly extrankId: string }
  | ({ readonly kind: 'person' } & PersonSession)
  | ({ readonly kind: 'openid' } & OpenIdAccess)
  | { readonly kind: 'personal'; readonly personId: string }
  | ({ readonly kind: 'personMail' } & PersonMail)

/** A session of a person in one browser. */
export interface PersonSession {
  readonly personId: string
  readonly sessionId: string
  /** How the person signed in. */
  readonly methods: readonly string[]
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** What another site may read of someone who signed in there: docs/reference/openid.md */
export interface OpenIdAccess {
  readonly grantId: string
  readonly clientId: string
  readonly teamId: string
  /** Null if the team signed in by its own token. */
  readonly personId: string | null
  readonly scopes: readonly OpenIdScope[]
  /** Unix milliseconds. */
  readonly expiresAt: number
}

/** Proves an address, once. */
export interface PersonMail {
  readonly verifyId: string
  readonly email: string
  /** Whose address it becomes; null to sign in with it. */
  readonly personId: string | null
}

/** With the time of issue: Unix milliseconds, rounded down to whole seconds. */
export type OpenedToken = Payload & { readonly issuedAt: number }

export type TokenKind = OpenedToken['kind']
type Opened<K extends TokenKind> = Extract<OpenedToken, { readonly kind: K }>
type Verify = Extract<Payload, { readonly kind: 'register' | 'update' | 'localLink' }>
type Handoff = Omit<Extract<Payload, { readonly kind: 'handoff' }>, 'kind'>

/**
 * All times are Unix milliseconds. `notBefore` is the time from which the team's tokens are valid. A token is
 * never dated earlier, so it is valid whatever the clock of this process says (decision 0021).
 */
export interface Tokens {
  issueAuth(teamId: string, notBefore?: number): string
  /** For another site: acts as the team, without its permissions and without access to its credentials. */
  issueExternal(teamId: string, issuedAt: number, clientId?: string): string
  issueOpenId(access: OpenIdAccess, issuedAt: number): string
  /** `lifeMs` begins now. */
  issueLocal(teamId: string, lifeMs: number): string
  issueTeam(teamId: string, notBefore?: number): string
  /** Dated at `issuedAt`, which the row of the session has too. */
  issuePerson(session: PersonSession, issuedAt: number): string
  /** For the link that a person keeps. */
  issuePersonal(personId: string, issuedAt: number): string
  issuePersonMail(mail: PersonMail): string
  /** A resent token keeps the issue time of the first one, so that its lifetime is not extended. */
  issueVerify(payload: Verify, issuedAt?: number): string
  issueHandoff(payload: Handoff, notBefore?: number): string
  /**
   * Null unless the text is a valid, unexpired token of one of the kinds. Never throws. The caller must check
   * with `isVoid` whether the team has voided its earlier tokens.
   */
  open<K extends TokenKind>(token: string, kinds: readonly K[]): Opened<K> | null
}

export interface TokenOptions {
  /** 32 bytes. */
  readonly key: Buffer
  readonly now: () => number
  /** Lifetime of Verify and handoff tokens. */
  readonly loginTimeoutMs: number
}

// Token kinds on the wire: docs/reference/accounts.md#token-format. 3 is never issued.
const AUTH = 0
const TEAM = 1
const VERIFY = 2
const HANDOFF = 4
/** Payload kind of an auth token for another site. Versions that do not know it reject the token. */
const EXTERNAL = 'external'
/** Payload kind of a session that began on the machine, and of its link. Versions that do not know it reject the token. */
const LOCAL = 'local'
/** Payload kind of an auth token of a person's session. Versions that do not know it reject the token. */
const PERSON = 'person'
/** Payload kind of an access token of OpenID Connect, which no route of teams accepts. */
const OPENID = 'openid'
/** Payload kinds of links of people. Versions that do not know them reject the token. */
const PERSONAL = 'personal'
const PERSON_MAIL = 'personMail'

interface Plain {
  readonly k: number
  readonly t: number
  readonly d: unknown
}

/** Creates and opens tokens: `{k, t, d}`, sealed. */
export function createTokens({ key, now, loginTimeoutMs }: TokenOptions): Tokens {
  const sealer = createSealer(key)
  const lifeSeconds = Math.floor(loginTimeoutMs / 1000)
  const seal = (k: number, d: unknown, issuedAt = now()) =>
    sealer.seal(JSON.stringify({ k, t: seconds(issuedAt), d }))
  const notEarlierThan = (notBefore = 0) => Math.max(now(), notBefore)

  return {
    issueAuth: (teamId, notBefore) => seal(AUTH, teamId, notEarlierThan(notBefore)),
    issueExternal: (teamId, issuedAt, clientId) =>
      seal(AUTH, { userId: teamId, kind: EXTERNAL, clientId }, issuedAt),
    issueOpenId: (access, issuedAt) => seal(AUTH, { kind: OPENID, ...access }, issuedAt),
    issueLocal: (teamId, lifeMs) => seal(AUTH, { userId: teamId, kind: LOCAL, expiresAt: now() + lifeMs }),
    issueTeam: (teamId, notBefore) => seal(TEAM, teamId, notEarlierThan(notBefore)),
    issuePerson: (session, issuedAt) => seal(AUTH, { kind: PERSON, ...session }, issuedAt),
    issuePersonal: (personId, issuedAt) => seal(TEAM, { kind: PERSONAL, personId }, issuedAt),
    issuePersonMail: (mail) => seal(VERIFY, { kind: PERSON_MAIL, ...mail }),
    issueVerify: (payload, issuedAt) => seal(VERIFY, verifyPayload(payload), issuedAt),
    issueHandoff: ({ name, extrankId }, notBefore) =>
      seal(HANDOFF, { name, extrankId }, notEarlierThan(notBefore)),

    open<K extends TokenKind>(token: string, kinds: readonly K[]) {
      const plain = plainOf(sealer.open(token))
      const payload = plain && readPayload(plain)
      if (!plain || !payload || !(kinds as readonly TokenKind[]).includes(payload.kind)) return null
      const isLasting = plain.k === AUTH || plain.k === TEAM
      if (!isLasting && plain.t + lifeSeconds < seconds(now())) return null
      return { ...payload, issuedAt: plain.t * 1000 } as Opened<K>
    },
  }
}

/** Whether the token was issued before the time from which the team's tokens are valid. */
export function isVoid(
  { issuedAt }: { readonly issuedAt: number },
  { tokensValidFrom }: { readonly tokensValidFrom: number },
): boolean {
  return issuedAt < tokensValidFrom
}

/**
 * The date for a token that is exchanged for another one. The new token is as valid as the old one, even in a
 * process that has not yet seen the latest `tokensValidFrom`.
 */
export function notBeforeOf(
  { tokensValidFrom }: { readonly tokensValidFrom: number },
  { issuedAt }: { readonly issuedAt: number },
): number {
  return Math.max(tokensValidFrom, issuedAt)
}

function seconds(instant: number): number {
  return Math.floor(instant / 1000)
}

function plainOf(text: string | null): Plain | null {
  try {
    const plain: unknown = text === null ? null : JSON.parse(text)
    return isPlain(plain) ? plain : null
  } catch {
    return null
  }
}

function isPlain(value: unknown): value is Plain {
  return isObject(value) && Number.isInteger(value['k']) && Number.isInteger(value['t'])
}

/** Reads the payload for its kind. Null if it has another shape. */
function readPayload({ k, d }: Plain): Payload | null {
  if (typeof d === 'string') {
    return k === AUTH || k === TEAM ? { kind: k === AUTH ? 'auth' : 'team', teamId: d } : null
  }
  if (!isObject(d)) return null
  if (k === AUTH && d['kind'] === PERSON) return readSession(d)
  if (k === AUTH && d['kind'] === OPENID) return readOpenId(d)
  if (k === TEAM)
    return d['kind'] === PERSONAL && isText(d['personId'])
      ? { kind: PERSONAL, personId: d['personId'] }
      : null
  if (k === VERIFY && d['kind'] === PERSON_MAIL) return readPersonMail(d)
  const { verifyId, kind, userId, clientId, email, name, extrankId, expiresAt } = d
  if (k === AUTH) {
    if (kind === LOCAL && isText(userId) && typeof expiresAt === 'number')
      return { kind, teamId: userId, expiresAt }
    if (kind !== EXTERNAL || !isText(userId)) return null
    return { kind, teamId: userId, ...(isText(clientId) && { clientId }) }
  }
  if (k === HANDOFF && isText(name) && isText(extrankId)) return { kind: 'handoff', name, extrankId }
  if (k !== VERIFY || !isText(verifyId)) return null
  if (kind === 'register') return { kind, verifyId }
  if (kind === LOCAL && isText(userId)) return { kind: 'localLink', verifyId, teamId: userId }
  return kind === 'update' && isText(userId) && isText(email)
    ? { kind, verifyId, teamId: userId, email }
    : null
}

function readSession({ personId, sessionId, methods, expiresAt }: Record<string, unknown>): Payload | null {
  if (!isText(personId) || !isText(sessionId) || typeof expiresAt !== 'number') return null
  if (!Array.isArray(methods) || !methods.every(isText)) return null
  return { kind: 'person', personId, sessionId, methods, expiresAt }
}

function readOpenId(data: Record<string, unknown>): Payload | null {
  const { grantId, clientId, teamId, personId, scopes, expiresAt } = data
  if (!isText(grantId) || !isText(clientId) || !isText(teamId) || typeof expiresAt !== 'number') return null
  if (!(personId === null || isText(personId)) || !Array.isArray(scopes)) return null
  const known = openIdScopes.filter((scope) => scopes.includes(scope))
  return { kind: OPENID, grantId, clientId, teamId, personId, scopes: known, expiresAt }
}

function readPersonMail({ verifyId, email, personId }: Record<string, unknown>): Payload | null {
  if (!isText(verifyId) || !isText(email) || !(personId === null || isText(personId))) return null
  return { kind: PERSON_MAIL, verifyId, email, personId }
}

function verifyPayload(payload: Verify): object {
  const { kind, verifyId } = payload
  if (kind === 'localLink') return { verifyId, kind: LOCAL, userId: payload.teamId }
  return kind === 'register'
    ? { verifyId, kind }
    : { verifyId, kind, userId: payload.teamId, email: payload.email }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
