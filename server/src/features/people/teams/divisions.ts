/** Which email addresses may join which divisions. For `domain` and `email`, `value` is in lower case. */
export type DivisionAcl = { readonly divisions: readonly string[] } & (
  | { readonly match: 'domain' | 'email' | 'regex'; readonly value: string }
  | { readonly match: 'any'; readonly value?: string | undefined }
)

export interface DivisionConfig {
  /** Id to label, at least one entry. */
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision?: string | undefined
  readonly divisionACLs?: readonly DivisionAcl[] | undefined
  /** Without email delivery, addresses are not verified and cannot restrict divisions. */
  readonly emailEnabled: boolean
}

/** The configured division rules: docs/reference/teams.md#divisions */
export interface Divisions {
  /** Divisions open to a team with this normalized address. A team without an address may join any. */
  allowedFor(email: string | null): readonly string[]
  /** Division of a new team; null if no division accepts the address. */
  pickFor(email: string | null): string | null
  isAllowed(email: string | null, division: string): boolean
}

export function createDivisions(config: DivisionConfig): Divisions {
  const all = Object.keys(config.divisions)
  const acls = (config.divisionACLs ?? []).map((acl) => ({
    matches: matcherOf(acl),
    divisions: acl.divisions.filter((id) => all.includes(id)),
  }))
  const isOpen = (email: string | null) => email === null || acls.length === 0 || !config.emailEnabled

  function allowedFor(email: string | null): readonly string[] {
    if (email === null || isOpen(email)) return all
    return [...new Set(acls.filter(({ matches }) => matches(email)).flatMap(({ divisions }) => divisions))]
  }

  return {
    allowedFor,
    pickFor: (email) => (isOpen(email) ? config.defaultDivision : undefined) ?? allowedFor(email)[0] ?? null,
    isAllowed: (email, division) => allowedFor(email).includes(division),
  }
}

function matcherOf(acl: DivisionAcl): (email: string) => boolean {
  if (acl.match === 'any') return () => true
  const { value } = acl
  switch (acl.match) {
    case 'domain':
      return (email) => email.endsWith(`@${value}`)
    case 'email':
      return (email) => email === value
    case 'regex': {
      const pattern = new RegExp(value)
      return (email) => pattern.test(email)
    }
  }
}
