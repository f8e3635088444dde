# ruff: noqa: PT009, PT027
import unittest

from checks import same
from parcel_stacks import piles


class ParcelStacksTest(unittest.TestCase):
    def test_nothing_arrives(self):
        self.assertEqual(piles([]), 0)

    def test_lighter_parcels_share_a_pile(self):
        self.assertTrue(same(piles([5, 3, 3, 1]), 1))

    def test_heavier_parcels_open_piles(self):
        self.assertEqual(piles([1, 2, 2, 1, 3]), 3)

    def test_refuses_a_weight_below_one(self):
        with self.assertRaises(ValueError) as refused:
            piles([2, 0])
        self.assertEqual(refused.exception.args[0], "no weight below one")
