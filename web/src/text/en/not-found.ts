export const notFound = {
  title: 'Not found',
}

export type NotFoundWords = typeof notFound
