import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

/** What a token said when it opened. `register` and `update` are the two Verify tokens. */
export type OpenedToken =
  | { readonly kind: 'auth'; readonly teamId: string }
  | { readonly kind: 'team'; readonly teamId: string }
  | { readonly kind: 'register'; readonly verifyId: string }
  | { readonly kind: 'update'; readonly verifyId: string; readonly teamId: string; readonly email: string }
  | { readonly kind: 'handoff'; readonly name: string; readonly extrankId: string }

export type TokenKind = OpenedToken['kind']
type Opened<K extends TokenKind> = Extract<OpenedToken, { readonly kind: K }>
type Verify = Opened<'register'> | Opened<'update'>

export interface Tokens {
  issueAuth(teamId: string): string
  issueTeam(teamId: string): string
  /** A resent token gets the instant of the first one, so that its life does not grow. */
  issueVerify(payload: Verify, issuedAt?: number): string
  issueHandoff(payload: Omit<Opened<'handoff'>, 'kind'>): string
  /** Null for whatever is not a live token of one of the kinds. Never throws. */
  open<K extends TokenKind>(token: string, kinds: readonly K[]): Opened<K> | null
}

export interface TokenOptions {
  /** 32 bytes. */
  readonly key: Buffer
  readonly now: () => number
  /** Life of Verify and handoff tokens. */
  readonly loginTimeoutMs: number
}

// Numbers on the wire (participant 3.1). 3 is never issued.
const AUTH = 0
const TEAM = 1
const VERIFY = 2
const HANDOFF = 4

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Longer than any token we issue; a longer text is refused before it is decoded. */
const MAX_TOKEN_LENGTH = 4096
const BASE64_TEXT = /^[A-Za-z0-9+/_-]+={0,2}$/

interface Plain {
  readonly k: number
  readonly t: number
  readonly d: unknown
}

/** Seals and opens tokens: base64 of IV, AES-256-GCM ciphertext and tag over `{k, t, d}`. */
export function createTokens({ key, now, loginTimeoutMs }: TokenOptions): Tokens {
  const secret = createSecretKey(key)
  const lifeSeconds = Math.floor(loginTimeoutMs / 1000)
  const nextIv = ivSource()

  function seal(k: number, d: unknown, issuedAt = now()): string {
    const iv = nextIv()
    const cipher = createCipheriv(CIPHER, secret, iv)
    const text = cipher.update(JSON.stringify({ k, t: seconds(issuedAt), d }), 'utf8')
    // With GCM `final` adds no bytes.
    cipher.final()
    return Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64')
  }

  return {
    issueAuth: (teamId) => seal(AUTH, teamId),
    issueTeam: (teamId) => seal(TEAM, teamId),
    issueVerify: (payload, issuedAt) => seal(VERIFY, verifyPayload(payload), issuedAt),
    issueHandoff: ({ name, extrankId }) => seal(HANDOFF, { name, extrankId }),

    open<K extends TokenKind>(token: string, kinds: readonly K[]) {
      const plain = unseal(token, secret)
      const opened = plain && readPayload(plain)
      if (!plain || !opened || !(kinds as readonly TokenKind[]).includes(opened.kind)) return null
      const isLasting = opened.kind === 'auth' || opened.kind === 'team'
      return isLasting || plain.t + lifeSeconds >= seconds(now()) ? (opened as Opened<K>) : null
    },
  }
}

function seconds(instant: number): number {
  return Math.floor(instant / 1000)
}

/** Fresh random IVs, drawn in blocks: one system call a token would cost as much as the cipher. */
function ivSource(): () => Buffer {
  let block = randomBytes(0)
  return () => {
    if (block.length === 0) block = randomBytes(IV_BYTES * 256)
    const iv = block.subarray(0, IV_BYTES)
    block = block.subarray(IV_BYTES)
    return iv
  }
}

function unseal(token: string, secret: KeyObject): Plain | null {
  if (token.length > MAX_TOKEN_LENGTH || !BASE64_TEXT.test(token)) return null
  const bytes = Buffer.from(token, 'base64')
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)).toString('utf8')
    // Throws unless the tag proves that these bytes were sealed with our key.
    decipher.final()
    const plain: unknown = JSON.parse(text)
    return isPlain(plain) ? plain : null
  } catch {
    return null
  }
}

function isPlain(value: unknown): value is Plain {
  return isObject(value) && Number.isInteger(value['k']) && Number.isInteger(value['t'])
}

/** The payload as its kind demands it; null when it has another shape. */
function readPayload({ k, d }: Plain): OpenedToken | null {
  if (k === AUTH || k === TEAM) {
    return typeof d === 'string' ? { kind: k === AUTH ? 'auth' : 'team', teamId: d } : null
  }
  if (!isObject(d)) return null
  const { verifyId, kind, userId, email, name, extrankId } = d
  if (k === HANDOFF && isText(name) && isText(extrankId)) return { kind: 'handoff', name, extrankId }
  if (k !== VERIFY || !isText(verifyId)) return null
  if (kind === 'register') return { kind, verifyId }
  return kind === 'update' && isText(userId) && isText(email)
    ? { kind, verifyId, teamId: userId, email }
    : null
}

function verifyPayload(payload: Verify): object {
  const { kind, verifyId } = payload
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
