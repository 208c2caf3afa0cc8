import { catalogue } from '../catalogue.ts'

export const notFoundMessages = catalogue('notFound', {
  title: 'Not found',
  text: "This page does not exist, or you don't have access to it:",
  search: 'Search pages',
  found: (count: number) => (count === 1 ? '1 page' : `${count} pages`),
})

export type NotFoundMessages = typeof notFoundMessages.english
