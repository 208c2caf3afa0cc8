import { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@pennant/contract/durations.ts'
import { ALIAS_RETURN_PAGE } from '@pennant/contract/aliases.ts'
import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { CustomFields, EligibilityRules } from '@pennant/contract/custom-field-schemas.ts'
import { RegistrationMode } from '@pennant/contract/client-config.ts'
import { secondFactorRoles } from '@pennant/contract/permissions.ts'
import { LinkUrl, PictureUrl } from '@pennant/contract/fields.ts'
import { MAX_CONTROLLER, MAX_ERASE_DAYS } from '@pennant/contract/privacy-settings.ts'
import { SignInProviders } from './sign-in-keys.ts'
import { VisibilitySettings } from '@pennant/contract/visibility-settings.ts'
import { HttpUrl } from '../lib/service-url.ts'
import { Instant, Milliseconds, Text } from './fields.ts'

const WELCOME = `# Welcome

The organisers have not written this page yet. They can do so under Organise, Event settings, or as \`homeContent\`
in the configuration.
`

const Divisions = z
  .record(z.string().min(1).max(100), z.string())
  .refine((map) => Object.keys(map).length > 0, {
    error: 'must name at least one division',
  })

const allowed = z.array(z.string()).describe('Ids of the divisions that a match allows.')
const lowerCased = Text.transform((value) => value.toLowerCase())
const pattern = Text.refine(compiles, { error: 'must be a JavaScript regular expression' })

const DivisionAcl = z.discriminatedUnion(
  'match',
  [
    // Addresses are compared in lower case, so a rule with capitals would never match.
    z.strictObject({ match: z.literal('domain'), value: lowerCased, divisions: allowed }),
    z.strictObject({ match: z.literal('email'), value: lowerCased, divisions: allowed }),
    z.strictObject({ match: z.literal('regex'), value: pattern, divisions: allowed }),
    z.strictObject({ match: z.literal('any'), value: z.string().optional(), divisions: allowed }),
  ],
  { error: 'match must be one of domain, email, regex, any' },
)

const SessionLife = z
  .int()
  .min(MINUTE_MS)
  .max(366 * DAY_MS)

const Sponsor = z.strictObject({
  name: z.string(),
  icon: PictureUrl,
  description: z.string(),
  url: LinkUrl.optional(),
})

/** Ten years. */
const MAX_LIFETIME_MS = 3650 * DAY_MS

/** The contest: its name and times, who may play, what the site shows. */
export const contestKeys = {
  ctfName: Text.default('Pennant').describe(
    'Name of the contest, in page titles and mail. Settings can override it.',
  ),
  startTime: Instant.optional().describe(
    'Start of the contest: Unix milliseconds or an ISO 8601 time. Without it, the event is not scheduled until organisers set a start.',
  ),
  endTime: Instant.optional().describe(
    'End of the contest. Default: 48 hours after the start. Settings can override it.',
  ),
  freezeTime: Instant.optional().describe(
    'From this time on, participants see the standings of this time and only their own later solves, until the results are published: Unix milliseconds or an ISO 8601 time. Default: no freeze. Settings can override it.',
  ),
  registrationsEnabled: z
    .boolean()
    .default(true)
    .describe('Whether new teams can register. If false, as `registration.mode: closed`.'),
  registration: z
    .strictObject({
      mode: RegistrationMode.default('open').describe(
        'Who can register: everyone (open), with a code of the organisers (code), after their approval (approval), or no one (closed). Settings can override it.',
      ),
      opensAt: Instant.optional().describe(
        'When registration opens. Default: at once. Settings can override it.',
      ),
      closesAt: Instant.optional().describe(
        'When registration closes. Default: never. Settings can override it.',
      ),
      maxTeams: z
        .int()
        .min(1)
        .max(settingsLimits.teams)
        .optional()
        .describe(
          'Maximum number of teams of players that are not banned. Default: no maximum. Settings can override it.',
        ),
      waitingList: z
        .boolean()
        .default(true)
        .describe(
          'Whether teams beyond `maxTeams` wait for a place; if false, they are refused. Settings can override it.',
        ),
    })
    .prefault({}),
  fields: CustomFields.default([]).describe(
    'What teams and people are asked for, as in the settings, which can override it: [fields](fields.md).',
  ),
  eligibility: EligibilityRules.default([]).describe(
    'Rules on these fields that decide about divisions and prizes, as in the settings, which can override it: [fields](fields.md).',
  ),
  visibility: z
    .strictObject(VisibilitySettings.shape)
    .prefault({})
    .describe(
      'Who sees which part of the event: `challenges`, `scoreboard`, `profiles`, `statistics` and `home`, each `everyone` (default), `signedIn`, `division` (teams see their own division only) or `organisers`. Settings can override it.',
    ),
  privacy: z
    .strictObject({
      controller: Text.max(MAX_CONTROLLER)
        .optional()
        .describe(
          'Who is responsible for personal data, with address and contact. Settings can override it.',
        ),
      eraseAt: Instant.optional().describe(
        'When email and IP addresses are erased, at the end at the earliest: Unix milliseconds or an ISO 8601 time. Default: never. Settings can override it.',
      ),
      eraseAfterDays: z
        .int()
        .min(0)
        .max(MAX_ERASE_DAYS)
        .optional()
        .describe('As `eraseAt`, in days after the end of the contest.'),
      eraseMessages: z
        .boolean()
        .optional()
        .describe('Whether private messages are erased at the same time. Default: no.'),
    })
    .prefault({}),
  divisions: Divisions.default({ open: 'Open' }).describe('Divisions: id to label.'),
  defaultDivision: z
    .string()
    .optional()
    .describe('Division of a new team if no rule applies. Default: the first one.'),
  divisionACLs: z
    .array(DivisionAcl)
    .default([])
    .describe(
      'Which email addresses may join which divisions: entries of `match` (domain, email, regex, any), `value` and `divisions`. A team may join the divisions of every matching entry. Without entries, everyone may join all divisions.',
    ),
  userMembers: z.boolean().default(true).describe('Whether teams can list their members.'),
  maxMembers: z.int().min(1).max(1000).default(50).describe('Maximum number of members of a team.'),
  people: z
    // `people: off` in short.
    .preprocess(
      (value) => (typeof value === 'string' ? { mode: value } : value),
      z.strictObject({
        mode: z
          .enum(['off', 'optional', 'required'])
          .default('optional')
          .describe(
            'Whether people sign in as themselves: not at all; beside the token of their team; or only they, so that tokens of teams without permissions are refused. Also as `people: off`.',
          ),
        maxTeamSize: z.int().min(1).max(1000).default(50).describe('Maximum number of people in a team.'),
        lockAt: Instant.optional().describe(
          'From this time on, players neither join nor leave teams: Unix milliseconds or an ISO 8601 time.',
        ),
        individual: z
          .boolean()
          .default(false)
          .describe(
            'An event for individuals: each person is a team, with the same name, and no one joins another.',
          ),
        providers: SignInProviders.default([]).describe(
          'Sites with whose accounts people sign in, by OpenID Connect: see [sign-in.md](sign-in.md). Entries of `id`, `preset` (google, microsoft, gitlab, keycloak, github, discord), `label`, `issuer`, `clientId`, `clientSecret`, `scopes`, `create`, `domains`, `groups`, `groupsClaim`, `divisions` (entries of `group` or `domain`, and `division`).',
        ),
        sessionLife: SessionLife.default(30 * DAY_MS).describe(
          'How long a person stays signed in, in milliseconds.',
        ),
        organiserSessionLife: SessionLife.default(12 * HOUR_MS).describe(
          'The same for people in a team with permissions.',
        ),
      }),
    )
    .prefault({}),
  organisers: z
    .strictObject({
      secondFactor: z
        .preprocess(
          (value) => (typeof value === 'string' ? [value] : value),
          z.array(z.enum(secondFactorRoles)).max(secondFactorRoles.length),
        )
        .default([])
        .describe(
          'Roles that people have only in a session with a second factor, such as `[owner, support]`, or `all`: see [roles.md](roles.md#second-factor). Tokens of teams then lack them.',
        ),
    })
    .prefault({}),
  loginTimeout: Milliseconds.min(1000)
    .default(HOUR_MS)
    .describe('Lifetime of verification links and pending registrations, in milliseconds.'),
  programs: z
    .strictObject({
      maxLifetime: z
        .int()
        .min(0)
        .max(MAX_LIFETIME_MS)
        .default(0)
        .describe('Maximum lifetime of a new API token, in milliseconds. 0: a token need not expire.'),
    })
    .prefault({}),
  homeContent: z.string().default(WELCOME).describe('Front page, in Markdown. Settings can override it.'),
  sponsors: z
    .array(Sponsor)
    .default([])
    .describe('Sponsors: `name`, `icon`, `description`, optional `url`. Settings can override them.'),
  meta: z
    .strictObject({
      description: z
        .string()
        .default('A capture-the-flag contest.')
        .describe('Description for link previews.'),
      imageUrl: PictureUrl.default('').describe('Image for link previews.'),
    })
    .prefault({}),
  faviconUrl: PictureUrl.default('/favicon.svg').describe('Icon of the site. Settings can override it.'),
  logoLightUrl: PictureUrl.default('').describe('Logo on a light background; empty: the name as text.'),
  logoDarkUrl: PictureUrl.default('').describe('Logo on a dark background; empty: the name as text.'),
  flagFormatPlaceholder: z
    .string()
    .default(String.raw`flag{[\x20-\x7e]+}`)
    .describe('Placeholder of the flag field.'),
  maxAvatarSize: z
    .int()
    .min(1024)
    .max(67_108_864)
    .default(1_048_576)
    .describe('Maximum size of an avatar upload, in bytes.'),
  extrank: z
    .strictObject({
      // YAML parses an unquoted id as a number.
      clientId: z.union([Text, z.int()]).transform(String).describe('Client id at the ranking site.'),
      clientSecret: Text.describe('Client secret at the ranking site.'),
      authorizeUrl: HttpUrl.default('https://oauth.ctftime.org/authorize').describe(
        'URL where the player gives consent.',
      ),
      tokenUrl: HttpUrl.default('https://oauth.ctftime.org/token').describe(
        'URL that exchanges a code for an access token.',
      ),
      userUrl: HttpUrl.default('https://oauth.ctftime.org/user').describe('URL that returns the team.'),
      callbackPath: z
        .enum(['/integrations/extrank/callback', ALIAS_RETURN_PAGE])
        .optional()
        .describe(
          'Path of the return address that is registered at the ranking site. The site serves both; the second is that of rCTF. Absent: the first.',
        ),
    })
    .optional()
    .describe('Sign-in with CTFtime or a ranking site like it. Absent: off.'),
  standingsFeed: z
    .strictObject({
      key: z
        .string()
        .regex(/^[\w-]{16,256}$/, { error: 'must be 16 to 256 letters, digits, - or _' })
        .describe('Part of the address that the ranking site polls; it only reads the standings.'),
    })
    .optional()
    .describe('The standings for the poller of CTFtime or another ranking site. Absent: off.'),
}

function compiles(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp
  } catch {
    return false
  }
}
