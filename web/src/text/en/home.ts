export const home = {
  title: 'Home',
  startsIn: 'Starts in',
  endsIn: 'Ends in',
  over: 'The event is over.',
  from: (local: string) => `From ${local}`,
  to: (local: string) => `to ${local}`,
  register: 'Register',
  signIn: 'Sign in',
  challenges: 'Go to challenges',
  standings: 'See the final standings',
  team: 'To your team',
  now: 'Now',
  ownPlace: 'Your team',
  placeAndScore: (place: string, score: string) => `Place ${place} · ${score} points`,
  notRanked: 'Not ranked yet',
  newest: 'Newest challenges',
  noChallenges: 'None yet.',
  topFive: 'Top five',
  noScores: 'Nobody has scored yet.',
  sponsors: 'Sponsors',
}

export type HomeWords = typeof home
