/** Makes the window a phone's until the test ends. */
export function onPhone(): void {
  const own = window.matchMedia;
  const spy = jest.spyOn(window, 'matchMedia');
  spy.mockImplementation((query) => ({ ...own(query), matches: query.includes('max-width') }));
  restored.push(() => spy.mockRestore());
}

const restored: (() => void)[] = [];
afterEach(() => {
  for (const restore of restored.splice(0)) restore();
});
