/** Names of the pages of the site, as it shows them. Its other pages have the name of the event alone. */
export const TITLES: Readonly<Record<string, string>> = {
  '/announcements': 'Announcements',
  '/ceremony': 'Ceremony',
  '/challenges': 'Challenges',
  '/live': 'Big screen',
  '/login': 'Sign in',
  '/recover': 'Recover access',
  '/register': 'Register',
  '/scores': 'Scoreboard',
  '/statistics': 'Statistics',
  '/status': 'Status',
}
