/** Which addresses may join which divisions. `value` of domain and email is in lower case. */
export type DivisionAcl = { readonly divisions: readonly string[] } & (
  | { readonly match: 'domain' | 'email' | 'regex'; readonly value: string }
  | { readonly match: 'any'; readonly value?: string | undefined }
)

export interface DivisionConfig {
  /** Id to label; at least one. */
  readonly divisions: Readonly<Record<string, string>>
  readonly defaultDivision?: string | undefined
  readonly divisionACLs?: readonly DivisionAcl[] | undefined
  /** Without delivery no address is proved, so that none may decide. */
  readonly emailEnabled: boolean
}

/** The deployment's division rules (participant 4.4). */
export interface Divisions {
  /** What a team with this normalised address may join; a team without one may join all. */
  allowedFor(email: string | null): readonly string[]
  /** Where a new team goes; null when no division takes the address. */
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
