import { describe, expect, test, xtest } from '@jest/globals';
import { fare } from './ferry-fares';

describe('Ferry fares', () => {
  test('one person', () => {
    expect(fare(1)).toEqual(5);
  });

  xtest('the fifth person rides free', () => {
    expect(fare(5)).toEqual(8);
  });

  xtest('an empty car is refused', () => {
    expect(() => fare(0)).toThrow(new Error('empty car'));
  });
});
