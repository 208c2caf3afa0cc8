import { catalogue } from '../catalogue.ts'

/** People in teams with permissions, for owners. */
export const organiserPeopleMessages = catalogue('organiserPeople', {
  title: 'Organisers',
  about:
    'Each person of an organisers’ team has the permissions that an owner gives them: none at first, a role, or all of the team.',
  name: 'Name',
  team: 'Team',
  permissions: 'Permissions',
  permissionsOf: (name: string) => `Permissions of ${name}`,
  none: 'None',
  whole: 'All of the team',
  custom: 'Other combination',
  saved: (name: string) => `Permissions of ${name} saved.`,
  factor: 'Second factor',
  factorCounts: (passkeys: number, codes: number) => `Passkeys: ${passkeys}, recovery codes: ${codes}`,
  factorMissing: 'needed, but missing',
  reset: 'Reset second factor',
  resetTitle: (name: string) => `Reset the second factor of ${name}?`,
  resetAbout:
    'Removes their passkeys and recovery codes and ends their sessions. They sign in again and add a passkey.',
  wasReset: (name: string) => `The second factor of ${name} was reset.`,
  noPeople: 'No organiser signs in as a person yet.',
  add: 'Add person',
  added: (name: string) => `${name} was added.`,
  link: 'Sign-in link',
  linkOnce: 'Give this link to the person, privately: it signs in as them, and is shown only once.',
  missing: 'Enter a name.',
  sessions: 'Sessions of organisers',
  browser: 'Browser',
  methods: 'Signed in with',
  lastUsed: 'Last used',
  address: 'Address',
  end: 'End',
  ended: 'Session ended.',
  thisOne: 'this browser',
  noSessions: 'No sessions.',
  actions: 'Actions',
  needed: 'Your permissions need a second factor in this session.',
  confirm: 'Confirm in the settings',
  asTeam: 'The token of a team has no permissions here: sign in as a person with a passkey.',
})

export type OrganiserPeopleMessages = typeof organiserPeopleMessages.english
