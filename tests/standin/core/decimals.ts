/** How many digits a step has behind the point: of `0.001` three. */
export const digitsOf = (step: string): number => step.split('.')[1]?.length ?? 0;
