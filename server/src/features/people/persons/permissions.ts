import {
  needsSecondFactor,
  storedPermissions,
  withImplied,
  type SecondFactorRole,
} from '@pennant/contract/permissions.ts'

// What a caller may do as an organiser: docs/operate/roles.md

/** Values of `amr` (RFC 8176) that show more than a password. A text message does not. */
const STRONG_AMR = ['mfa', 'otp', 'hwk', 'swk', 'sc', 'fido']

/** Methods of a session that are a second factor, or show one. What a provider says is marked, so it cannot say `passkey`. */
export const FACTORS: readonly string[] = [
  'passkey',
  'recovery-code',
  ...STRONG_AMR.map((value) => `amr:${value}`),
]

export function hasSecondFactor(methods: readonly string[]): boolean {
  return methods.some((method) => FACTORS.includes(method))
}

export interface Holder {
  /** Null for the team itself, which has no second factor. */
  readonly person: { readonly perms: number | null } | null
  readonly isConfirmed: boolean
}

/** The permissions of a holder in a team, and those that a second factor would add. */
export function permissionsOf(
  team: { readonly perms: number },
  { person, isConfirmed }: Holder,
  demanded: readonly SecondFactorRole[],
): { readonly perms: number; readonly withheld: number } {
  const own = withImplied(person?.perms ?? team.perms)
  const perms = storedPermissions(withImplied(team.perms) & own)
  return isConfirmed || !needsSecondFactor(perms, demanded)
    ? { perms, withheld: 0 }
    : { perms: 0, withheld: perms }
}
