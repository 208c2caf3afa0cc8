export const notFound = {
  title: 'Not found',
  text: 'This page does not exist, or is not open to you:',
  search: 'Search the pages',
  found: (count: number) => (count === 1 ? 'One page' : `${count} pages`),
}

export type NotFoundWords = typeof notFound
