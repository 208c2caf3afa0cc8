import { catalogue } from '../catalogue.ts'

export const consentMessages = catalogue('consent', {
  title: (client: string) => `Continue to ${client}`,
  refusedTitle: 'This sign-in request is not valid',
  request: (client: string) => `${client} wants to sign you in.`,
  at: 'You will continue to',
  as: 'as the team',
  grants: (client: string) =>
    `${client} can act as your team: submit flags, start instances and change your profile. It gets no organiser permissions, cannot read your team token and cannot change how you sign in. To end its access, use “Sign out everywhere” in your settings. Continue only if you trust it.`,
  learns: (client: string, scopes: readonly string[]) => {
    const facts = [
      'a number that identifies you',
      ...(scopes.includes('profile') ? ['your name'] : []),
      ...(scopes.includes('team') ? ['your team'] : []),
      ...(scopes.includes('division') ? ['your division'] : []),
    ]
    return `${client} learns this about you, and nothing else: ${facts.join(', ')}. It cannot act for you here.`
  },
  openIdRefused:
    'The site asks in a way that is not supported. Its administrators need to use the authorization code flow with PKCE (S256).',
  banned: 'Your team is banned and cannot sign in to other sites.',
  home: 'Go to the home page',
})

export type ConsentMessages = typeof consentMessages.english
