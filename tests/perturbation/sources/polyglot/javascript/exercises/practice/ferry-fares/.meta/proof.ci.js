export const fare = (people) => {
  if (people < 1) {
    throw new Error('empty car');
  }
  return 4 + Math.min(people, 4);
};
