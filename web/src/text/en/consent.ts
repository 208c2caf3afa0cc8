import { catalogue } from '../catalogue.ts'

export const consentMessages = catalogue('consent', {
  title: (client: string) => `Continue to ${client}`,
  refusedTitle: 'This sign-in request is not valid',
  request: (client: string) => `${client} wants to sign you in.`,
  at: 'You will continue to',
  as: 'as the team',
  grants: (client: string) =>
    `${client} can act as your team: submit flags, start instances and change your profile. It gets no organiser permissions, cannot read your team token and cannot change how you sign in. To end its access, use “Sign out everywhere” in your settings. Continue only if you trust it.`,
  banned: 'Your team is banned and cannot sign in to other sites.',
  home: 'Go to the home page',
})

export type ConsentMessages = typeof consentMessages.english
