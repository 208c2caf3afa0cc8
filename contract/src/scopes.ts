/**
 * What an API token may be used for: docs/reference/api-tokens.md#scopes. A scope never adds to what the owner of the
 * token may do. A route that writes does not need the scope that reads.
 */
export const scopeTexts = {
  read: 'Read challenges, hints, scoreboards, profiles, announcements and the own team.',
  submit: 'Submit flags and buy hints.',
  instances: 'Read, start, extend and stop instances, and send jobs to the admin bot.',
  profile: 'Change the profile, the avatar and the members of the own team.',
  messages: 'Read and write messages to the organisers.',
  'organise:read':
    'Read what organisers see: submissions with flags, statistics, settings, instances, the action log, the unfrozen scoreboard.',
  'challenges:read': 'Read all challenges with flags, files, hints and waves, and try flags.',
  'challenges:write': 'Create, change and delete challenges, files, hints and waves, and stop instances.',
  'teams:read': 'Read all teams with email addresses, and pending registrations.',
  'teams:write': 'Create, change, ban and delete teams, and complete registrations.',
  'submissions:write': 'Delete solves and adjust scores.',
  'settings:write': 'Change settings and run the diagnosis.',
  'announcements:write': 'Publish, change and delete announcements and incidents.',
  'messages:answer': 'Read and answer the messages of all teams.',
} as const

export type Scope = keyof typeof scopeTexts

export const allScopes = Object.keys(scopeTexts) as readonly Scope[]
