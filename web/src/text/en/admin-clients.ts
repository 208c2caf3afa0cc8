import { catalogue } from '../catalogue.ts'

export const adminClientsMessages = catalogue('adminClients', {
  title: 'Sign-in clients',
  about:
    'Other sites where people can sign in with this event. With OpenID Connect, a site learns who signs in. With the API of this event, it can act as each team that agrees, but gets no organiser permissions.',
  api: 'All routes of the API',
  table: 'Clients',
  none: 'No sign-in clients yet.',
  nameHelp: 'Teams see this name when they are asked to agree.',
  redirectUri: 'Redirect URI',
  redirectHelp: 'An absolute http or https URL. It must match exactly.',
  kind: 'How it signs in',
  kinds: {
    openid: 'OpenID Connect (most sites)',
    externalAuth: 'The API of this event, to act as teams',
  },
  openIdSteps: 'Enter these at the other site. It needs the authorization code flow with PKCE (S256).',
  issuer: 'Issuer',
  discovery: 'Discovery',
  copyNamed: (label: string) => `Copy: ${label}`,
  scopes: 'Scopes',
  id: 'Client ID',
  copyOf: (name: string) => `Copy the ID of ${name}`,
  created: 'Created',
  createdBy: 'Created by',
  deletedTeam: 'a deleted team',
  new: 'New client',
  create: 'Create client',
  createdTitle: (name: string) => `${name} created`,
  shownOnce: 'The secret is shown only once. Save it where only the other site can read it.',
  secret: 'Client secret',
  savedCheckbox: 'I have saved the secret',
  saveFirst: 'Save the secret first.',
  done: 'Done',
  sample: 'How the other site signs teams in',
  sampleOf: (name: string) => `How ${name} signs teams in`,
  showSample: 'Sample',
  showSampleOf: (name: string) => `Sample for ${name}`,
  steps: {
    send: 'Send the visitor to this URL with a random, unguessable state.',
    exchange:
      'The visitor returns with a code and the state. Compare the state, then exchange the code from your server within one minute.',
    read: 'The access token in the response signs in as the team and identifies it.',
  },
  deleteOf: (name: string) => `Delete ${name}`,
  deleteAbout:
    'It can no longer sign anyone in. Tokens already issued keep working, unless you end them here.',
  endTokens: 'End the tokens that it was given',
  endTokensHelp: 'Teams are signed out there. Tokens issued by earlier versions of Pennant keep working.',
  unconfirmed: "We couldn't confirm that. Check the list before retrying.",
  errors: {
    missing: 'This field is required.',
    address: 'Enter an absolute http or https URL.',
  },
})

export type AdminClientsMessages = typeof adminClientsMessages.english
