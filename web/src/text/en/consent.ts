export const consent = {
  title: (client: string) => `Continue to ${client}`,
  waitingTitle: 'Continue',
  refusedTitle: 'This sign-in request is not valid',
  asks: (client: string) => `${client} asks who you are.`,
  at: 'You will go on to',
  as: 'as the team',
  gets: (client: string) =>
    `${client} gets full access as your team, like your team token: it can read and change what you can, and this cannot be taken back. Continue only if you trust it.`,
  goOn: 'Continue',
  cancel: 'Cancel',
  banned: 'Your team is banned: it cannot sign in elsewhere.',
  home: 'To the home page',
}

export type ConsentWords = typeof consent
