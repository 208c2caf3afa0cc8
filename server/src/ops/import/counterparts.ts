/**
 * What other platforms have and Pennant does not, with what happens to it. When Pennant gains a counterpart, remove the
 * entry here, read it in the source's folder and write it in `write.ts`.
 */
export const WITHOUT_COUNTERPART = {
  hintRequirements: 'Hints that can be unlocked only after others can be bought at once.',
  unlocks: 'Unlocked solutions are not imported.',
  awards: 'Awards without points are not imported.',
  attemptLimits: 'Limits on the number of attempts are not imported.',
  flagLogic: 'Challenges that need all flags, or a flag of every member, accept any one of them.',
  solutions: 'Solutions of challenges are not imported.',
  ratings: 'Ratings of challenges are not imported.',
  comments: 'Comments of organisers are not imported.',
  modules: 'Modules and audiences are not imported.',
  nextChallenges: 'Suggestions of the next challenge are not imported.',
  profileFields: 'Websites, affiliations, languages and own fields of accounts are not imported.',
  passwords:
    'Passwords are not imported: accounts sign in with a link. Their links are written with `--tokens`.',
  oauth: 'Links to MajorLeagueCyber are not imported.',
  tracking: 'The addresses from which accounts visited are not imported.',
  apiTokens: 'Access tokens of the API are not imported.',
  partialSubmissions: 'Submissions that were neither correct nor incorrect are not imported.',
  mailSettings: 'The settings of mail and of sign-in services are not imported.',
  otherSettings: 'Settings without a counterpart are not imported.',
  sponsorIcons: 'Sponsors have one icon; others are not imported.',
  rawPorts: 'Ports of the kind `raw` are not imported.',
  clientSecrets: 'Sites that sign in with this contest need a new secret. `--tokens` writes them.',
  pluginTables: 'Tables that this version does not know are not imported.',
} as const

export type WithoutCounterpart = keyof typeof WITHOUT_COUNTERPART
